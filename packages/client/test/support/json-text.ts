import type { Random } from "@listwatch/core-fifo";

/** Writes a JSON value in one of many spellings, with optional white space and escapes. */
export function spell(value: unknown, random: Random, spaces = 0.1): string {
  const space = (): string => (random() < spaces ? pick([" ", "\n  ", "\t", "\r\n"], random) : "");
  if (Array.isArray(value)) {
    return `[${value.map((item) => space() + spell(item, random, spaces) + space()).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) =>
        `${space()}${spellText(key, random)}${space()}:${space()}${spell(member, random, spaces)}${space()}`,
    );
    return `{${members.join(",")}${members.length === 0 ? space() : ""}}`;
  }
  return typeof value === "string" ? spellText(value, random) : JSON.stringify(value);
}

function spellText(text: string, random: Random): string {
  const isEscaped = random() < 0.05;
  const units = Array.from({ length: text.length }, (_, index) => text.charAt(index));
  const spelled = units.map((unit) =>
    isEscaped && random() < 0.3
      ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      : JSON.stringify(unit).slice(1, -1),
  );
  return `"${spelled.join("")}"`;
}

export function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("Expected a value to pick, got none");
  return value;
}

/** Makes one change: removes, adds or replaces a character, or removes a piece. */
export function corrupt(text: string, random: Random): string {
  const place = Math.floor(random() * (text.length + 1));
  const added = pick(
    "{ } [ ] , : \" \\ \u0001 \n 0 a e - . t / ' \u00e4 \ufeff".split(" "),
    random,
  );
  const length = pick([0, 1, 1, 1, 2, 5, 40], random);
  return text.slice(0, place) + (random() < 0.6 ? added : "") + text.slice(place + length);
}

/** A random JSON value with typical content of API servers. */
export function randomValue(random: Random, depth = 3): unknown {
  const leaf = random() < 0.4 || depth === 0;
  if (leaf) {
    return pick<unknown>(
      [1, -0.5, 1e21, true, false, null, "", "web", "ä🧀", '"}],{"', "\\", "}]", "]}\u0007"],
      random,
    );
  }
  const count = Math.floor(random() * 4);
  if (random() < 0.4) return Array.from({ length: count }, () => randomValue(random, depth - 1));
  const keys = ["name", "metadata", "managedFields", "items", "kind", "spec", "a]b", 'k:{"x":"["}'];
  return Object.fromEntries(
    Array.from({ length: count }, () => [pick(keys, random), randomValue(random, depth - 1)]),
  );
}
