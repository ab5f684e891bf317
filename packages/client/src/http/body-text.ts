import { ListwatchError } from "@listwatch/core-fifo/base";

/**
 * Matches integers of 16 digits or more, since 2^53 has 16, and null, which NaN becomes. It also
 * matches inside strings, which costs time only.
 */
const suspicious = /[[,:](?:-?\d{16}|null[,\]}])/;

/** JSON.stringify writes larger numbers with an exponent. Servers read these as floating-point. */
const endOfDigits = 1e21;

/**
 * Returns a body as JSON. BigInts become integers with all their digits.
 *
 * An integer beyond 2^53 may have been rounded: in an object that was read, a parsed file or a
 * literal. Only the body is checked, so that any copy of an object is, and reading costs nothing.
 *
 * @throws {ListwatchError} with the code `LW_INEXACT_NUMBER` if a number is not finite, or is an
 *   integer beyond 2^53
 */
export function bodyText(body: unknown, attempted: string): string {
  const text = plainText(body);
  if (text !== undefined && !suspicious.test(text)) return text;
  return new ExactWriter(attempted).write(body, "", []) ?? "null";
}

/** Returns the body as JSON; `undefined` if it contains BigInts, which JSON.stringify rejects. */
function plainText(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (error) {
    let count = 0;
    // Throws again if the body is circular.
    JSON.stringify(body, (_, value: unknown) => (typeof value === "bigint" ? ++count : value));
    if (count === 0) throw error;
    return undefined;
  }
}

type Path = readonly (string | number)[];

/** Writes JSON like JSON.stringify, with BigInts, and checks the numbers. */
class ExactWriter {
  readonly #attempted: string;

  constructor(attempted: string) {
    this.#attempted = attempted;
  }

  /** Returns `undefined` for values that JSON omits, such as functions. */
  write(value: unknown, key: string, path: Path): string | undefined {
    const given = jsonOf(value, key);
    if (typeof given === "bigint") return String(given);
    if (typeof given === "number" && !isExact(given)) throw this.#inexact(given, path);
    if (typeof given !== "object" || given === null) return JSON.stringify(given);
    if (Array.isArray(given)) {
      // The index as a string is what toJSON expects.
      const items = Array.from(given, (item: unknown, index) =>
        this.write(item, String(index), [...path, index]),
      );
      return `[${items.map((item) => item ?? "null").join(",")}]`;
    }
    const members: string[] = [];
    for (const [name, member] of Object.entries(given)) {
      const text = this.write(member, name, [...path, name]);
      if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${members.join(",")}}`;
  }

  #inexact(value: number, path: Path): ListwatchError {
    const reason = Number.isFinite(value)
      ? "an integer beyond 2^53, which may have been rounded when it was read or written in code"
      : "which JSON cannot represent";
    return new ListwatchError(
      "LW_INEXACT_NUMBER",
      `${this.#attempted}: expected exact numbers, got ${value} at ${describePath(path)}, ${reason}`,
      {
        advice:
          "Patch or apply only the fields that change, or give the integer with all its digits " +
          "as a BigInt, such as 1732752000123456789n",
      },
    );
  }
}

/** Returns the value that JSON.stringify would write. */
function jsonOf(value: unknown, key: string): unknown {
  if (value === undefined || value === null) return value;
  const { toJSON }: { toJSON?: unknown } = Object(value);
  return typeof toJSON === "function" ? Reflect.apply(toJSON, value, [key]) : value;
}

function isExact(value: number): boolean {
  if (!Number.isInteger(value)) return Number.isFinite(value);
  return Number.isSafeInteger(value) || Math.abs(value) >= endOfDigits;
}

/** Writes a path such as `spec.ports[0].port`. */
function describePath(path: Path): string {
  return path
    .map((name, place) => {
      if (typeof name === "number") return `[${name}]`;
      if (!/^[\w-]+$/.test(name)) return `[${JSON.stringify(name)}]`;
      return place === 0 ? name : `.${name}`;
    })
    .join("");
}
