/** The rules of STYLE for words and for the width of lines. */

export interface Finding {
  readonly line: number;
  readonly problem: string;
}

const unwanted = [
  "nobody",
  "somebody",
  "everybody",
  "anybody",
  "whoever",
  "whomever",
  "told of",
  "(?:is|are|was|were) told(?! to\\b)",
  "anew",
  "ones? own",
  "one['’]s own",
  "got over",
];
const wordPattern = new RegExp(String.raw`\b(${unwanted.join("|")})\b`, "gi");

/** 100 columns, for comments too: oxfmt wraps code and doc comments, and this finds the rest. */
const maxColumns = 100;

/**
 * The words in a text that STYLE does not want. Code is searched as a whole, because names and
 * messages are read as much as comments. A line with `language-ok` is let through: it quotes.
 */
function wordFindings(text: string): Finding[] {
  return text.split("\n").flatMap((line, index) =>
    line.includes("language-ok")
      ? []
      : [...line.matchAll(wordPattern)].map(([word]) => ({
          line: index + 1,
          problem: `"${word}": see "Language" in CONTRIBUTING.md`,
        })),
  );
}

// What cannot be wrapped: a text, template or pattern alone on its line, an import, an address, a
// directive for a tool, and the title of a test, which belongs on the line of its call.
const unbreakable = [
  /^\s*(?:[\w"]+: |[\w.]+ [=+]=? |return |\+ |\? |: |throw new \w+\()?["'`/].*["'`/)]\w*[),;\]]*$/,
  /^\s*(?:import|export) .* from "[^"]+";$/,
  /^\s*"[^"]+":$/,
  /https?:\/\/\S{60,}/,
  /^\s*\/\/ (?:oxlint-|@ts-|@boundaries)/,
  /^\s*(?:test|describe)(?:\.\w+)*\(["`].*\{$/,
];

/** Lines of code or comment that are too wide. */
function widthFindings(text: string): Finding[] {
  return text.split("\n").flatMap((line, index) => {
    const columns = Array.from(line).length;
    if (columns <= maxColumns || unbreakable.some((pattern) => pattern.test(line))) return [];
    return [{ line: index + 1, problem: `${columns} columns, at most ${maxColumns}` }];
  });
}

/** `@example` tags, whose fence oxfmt takes for code; an example is a fence in the description. */
function tagFindings(text: string): Finding[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      /^\s*\*\s*@example\b/.test(line)
        ? [{ line: index + 1, problem: "`@example`: write the fence without the tag" }]
        : [],
    );
}

/** Constants that shout. */
function nameFindings(text: string): Finding[] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(/\b(?:const|let|static readonly) ([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => ({
      line: index + 1,
      problem: `${name}: constants are in camelCase`,
    })),
  );
}

/** All findings of a file, by its name. */
export function findings(file: string, text: string): Finding[] {
  const words = wordFindings(text);
  if (!/\.(?:ts|mjs|astro)$/.test(file)) return words;
  return [...words, ...widthFindings(text), ...tagFindings(text), ...nameFindings(text)];
}
