/** The requirements of docs/requirements, and which texts name them. */

/** A code with a known prefix, such as RF-7, REF-26b or API-1.16. */
function codePattern(codes: Iterable<string>): RegExp {
  const prefixes = new Set([...codes].map((code) => code.replace(/-.*/, "")));
  return new RegExp(String.raw`\b(?:${[...prefixes].join("|")})-\d+(?:\.\d+)?[a-z]?\b`, "g");
}

export interface Requirement {
  readonly code: string;
  /** Categories of recorded exchanges that replay it. */
  readonly categories: readonly string[];
}

/** The requirements that a document defines, in its order. */
export function definitionsIn(document: string): Requirement[] {
  return [...document.matchAll(/^- \*\*([A-Z]+-\d+(?:\.\d+)?[a-z]?)\*\* (.*)$/gm)].map(
    ([, code = "", text = ""]) => ({
      code,
      categories: /_Cases: (.*)\._$/.exec(text)?.[1]?.split(", ") ?? [],
    }),
  );
}

export interface Citations {
  /** The files that name a code, by code. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Codes that are cited and not defined, with their file. */
  readonly unknown: readonly string[];
}

/** The codes that texts cite; texts by the name of their file. */
export function citationsIn(
  texts: ReadonlyMap<string, string>,
  codes: ReadonlySet<string>,
): Citations {
  const files = new Map<string, string[]>();
  const unknown: string[] = [];
  const pattern = codePattern(codes);
  for (const [file, text] of texts) {
    for (const [code] of new Set(text.matchAll(pattern))) {
      if (!codes.has(code)) unknown.push(`${file}: ${code}`);
      else if (files.get(code)?.at(-1) !== file)
        files.set(code, [...(files.get(code) ?? []), file]);
    }
  }
  return { files, unknown: [...new Set(unknown)] };
}

/** Finds requirement codes and sections of other documents in a source, where a reason is due. */
export function codesInSource(text: string, codes: ReadonlySet<string>): string[] {
  const ours = text.replaceAll(/(?:RFC|FIPS|ISO|KEP)[^§]{0,80}(?:§\s?[\d.]+(?: and |, )?)+/g, "");
  const sections = ours.match(/§\s?\d[\d.]*\d|§\s?\d/g) ?? [];
  return [...(text.match(codePattern(codes)) ?? []), ...sections];
}

const begin = "<!-- Made by npm run gen -- requirements; do not edit below. -->";

/** The document with its generated part: the files and recordings that name each requirement. */
export function withGenerated(
  document: string,
  namedBy: (requirement: Requirement) => readonly string[],
): string {
  const [written = ""] = document.split(begin);
  const requirements = definitionsIn(written);
  const lines = requirements.flatMap((requirement) => {
    const names = namedBy(requirement);
    return names.length === 0 ? [] : [`- **${requirement.code}**: ${names.join(", ")}`];
  });
  const without = requirements.filter((one) => namedBy(one).length === 0).map(({ code }) => code);
  const rest =
    without.length === 0
      ? ""
      : `\nNo test or recording names ${without.length}: ${without.join(", ")}.\n`;
  const heading = "## Tests and recordings for each code";
  return `${written.trimEnd()}\n\n${begin}\n\n${heading}\n\n${lines.join("\n")}\n${rest}`;
}
