/** The rules of CONTRIBUTING, "Language", for words, comments and the width of lines. */
import { parseSync, Visitor, type Expression, type ParseResult } from "oxc-parser";

export interface Finding {
  readonly line: number;
  readonly problem: string;
}

/** Refused in the whole text of a file: names and messages are read as much as comments. */
const unwantedWords = [
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
const wordPattern = new RegExp(String.raw`\b(${unwantedWords.join("|")})\b`, "gi");

/** Refused in prose, with the wording to use instead. Spaces stand for any white space. */
const unwantedPhrases: ReadonlyMap<string, string> = new Map([
  ["(?<!\\bthere )(?:is|are) no(?! (?:longer|more)\\b)", "is not a, has no, there is no"],
  ["a text(?! (?:file|editor|field|frame|node|area)s?\\b)", "a string"],
  ["of the (?:user|caller|program|author|reader)['’]s", "user-supplied, of the user"],
  ["of (?:its|their|his) own", "own, separate"],
  ["the own", "its own, local"],
  ["on (?:its|their|the) way", "in flight, before it arrives"],
  ["for good", "permanently"],
  ["(?:goes?|stands?|went|stood) before", "takes precedence over, precedes"],
  ["(?:let|lets|letting) be", "ignore, is ignored"],
  ["so long", "during that time, while"],
  ["as good as", "nearly"],
  ["be it", "even, whether"],
  ["besides", "in addition, except"],
  ["the present(?! tense\\b)", "the current"],
]);
const phrasePatterns = [...unwantedPhrases].map(
  ([phrase, instead]) =>
    [
      new RegExp(String.raw`\b${phrase.replaceAll(" ", String.raw`\s+`)}\b`, "gi"),
      instead,
    ] as const,
);

/** Words that only a reader can judge: a server says something, a comment does not. */
const doubtfulWords = /\b(?:says?|said|tells?|told|gives?|gave)\b/gi;

/** A description that begins with a clause instead of the thing that it describes. */
const clausePattern = /^(?:What|Whose|Which|Of)\b/;

/** 100 columns, for comments too: oxfmt wraps code and doc comments, and this finds the rest. */
const maxColumns = 100;

/** A piece of prose, with one line for each line of the file from `line` on. */
interface Prose {
  readonly line: number;
  readonly text: string;
}

/** Blanks out code and quotations, which keep their words. Lengths stay as they are. */
function blankQuotations(text: string): string {
  return text.replaceAll(/`[^`]*`|"[^"\n]*"|“[^”]*”|\bhttps?:\/\/\S+/g, (quoted) =>
    quoted.replaceAll(/[^\n]/g, "·"),
  );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** The comments of a program, without their markers; line comments that follow each other as one. */
function readComments({ comments }: ParseResult, text: string): Prose[] {
  const found: Prose[] = [];
  let previous: { end: number; column: number } | undefined;
  for (const { type, value, start, end } of comments) {
    const column = start - text.lastIndexOf("\n", start - 1);
    const line = lineAt(text, start);
    const continues =
      type === "Line" &&
      previous?.column === column &&
      /^\n[ \t]*$/.test(text.slice(previous.end, start));
    if (continues) {
      const last = found.pop()!;
      found.push({ line: last.line, text: `${last.text}\n${value}` });
    } else {
      found.push({ line, text: value.replaceAll(/^[ \t]*\*+[ \t]?/gm, "") });
    }
    previous = type === "Line" ? { end, column } : undefined;
  }
  return found;
}

/** Whether a call declares tests: `test(…)`, `describe(…)`, `test.each(…)(…)`. */
function isTestCall(callee: Expression | { readonly type: "Super" }): boolean {
  if (callee.type === "Identifier") return callee.name === "test" || callee.name === "describe";
  if (callee.type === "MemberExpression") return isTestCall(callee.object);
  return callee.type === "CallExpression" && isTestCall(callee.callee);
}

/** The titles of tests, which are sentences about behaviour. */
function readTitles({ program }: ParseResult, text: string): Prose[] {
  const found: Prose[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (title === undefined || !isTestCall(callee)) return;
      if (title.type !== "Literal" && title.type !== "TemplateLiteral") return;
      const words = text.slice(title.start + 1, title.end - 1);
      found.push({ line: lineAt(text, title.start), text: words });
    },
  });
  visitor.visit(program);
  return found;
}

/** The prose of a page: everything but front matter, code fences and comments of the compiler. */
function readPage(text: string): Prose[] {
  const blank = (part: string): string => part.replaceAll(/[^\n]+/g, "");
  const prose = text
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replaceAll(/^([ \t]*)(```+|~~~+)[\s\S]*?^\1\2[ \t]*$/gm, blank)
    .replaceAll(/\{\/\*[\s\S]*?\*\/\}|^import .*$/gm, blank);
  return [{ line: 1, text: prose }];
}

/** The comments in a component: script, markup and styles. */
function readComponent(text: string): Prose[] {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|^[ \t]*\/\/[^\n]*/gm)].map(
    ([comment], index, all) => ({
      line: lineAt(text, all[index]!.index),
      text: comment.replaceAll(/^[ \t]*(?:\/\*+|\/\/|\*+|<!--)[ \t]?/gm, ""),
    }),
  );
}

/** The descriptions in a comment: its first sentence, those of its paragraphs and of its tags. */
function readDescriptions({ line, text }: Prose): Prose[] {
  const lines = text.split("\n");
  return lines.flatMap((each, index) => {
    const tag = /^\s*@(?:param\s+\S+|returns?|throws(?:\s+\{[^}]*\})?)\s+(?:-\s+)?(?=\S)/.exec(
      each,
    );
    const begins = (lines[index - 1] ?? "").trim() === "";
    if (tag === null && !begins) return [];
    return [{ line: line + index, text: each.slice(tag?.[0].length ?? 0).trim() }];
  });
}

function clauseFindings(comments: readonly Prose[]): Finding[] {
  return comments.flatMap(readDescriptions).flatMap(({ line, text }) => {
    const clause = clausePattern.exec(text);
    if (clause === null) return [];
    return [{ line, problem: `a comment that begins with "${clause[0]}": name the thing first` }];
  });
}

function phraseFindings(prose: readonly Prose[]): Finding[] {
  return prose.flatMap(({ line, text }) => {
    const checked = blankQuotations(text);
    return phrasePatterns.flatMap(([pattern, instead]) =>
      [...checked.matchAll(pattern)].map((match) => ({
        line: line + lineAt(checked, match.index) - 1,
        problem: `"${match[0].replaceAll(/\s+/g, " ")}": write ${instead}`,
      })),
    );
  });
}

function commentFindings(comments: readonly Prose[]): Finding[] {
  return [...phraseFindings(comments), ...clauseFindings(comments)];
}

function wordFindings(text: string): Finding[] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(wordPattern)].map(([word]) => ({
      line: index + 1,
      problem: `"${word}": see "Language" in CONTRIBUTING.md`,
    })),
  );
}

// These cannot be wrapped: a string, template or pattern alone on its line, an import, an address,
// a directive for a tool, and the title of a test, which belongs on the line of its call.
const unbreakable = [
  /^\s*(?:[\w"]+: |[\w.]+ [=+]=? |return |\+ |\? |: |throw new \w+\()?["'`/].*["'`/)]\w*[),;\]]*$/,
  /^\s*(?:import|export) .* from "[^"]+";$/,
  /^\s*"[^"]+":$/,
  /https?:\/\/\S{60,}/,
  /^\s*\/\/ (?:oxlint-|@ts-|@boundaries)/,
  /^\s*(?:test|describe)(?:\.\w+)*\(["`].*\{$/,
];

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

function languageFindings(file: string, text: string): Finding[] {
  const isPage = /\.mdx?$/.test(file);
  if (isPage) return [...wordFindings(text), ...phraseFindings(readPage(text))];
  if (file.endsWith(".astro"))
    return [...wordFindings(text), ...commentFindings(readComponent(text))];
  const parsed = parseSync(file, text);
  const titles = readTitles(parsed, text);
  const comments = readComments(parsed, text);
  return [...wordFindings(text), ...phraseFindings(titles), ...commentFindings(comments)];
}

/** All findings of a file, by its name. A line that says `language-ok` quotes, and has none. */
export function findings(file: string, text: string): Finding[] {
  const lines = text.split("\n");
  const language = languageFindings(file, text).filter(
    ({ line }) => !lines[line - 1]!.includes("language-ok"),
  );
  if (/\.mdx?$/.test(file)) return language;
  return [...language, ...widthFindings(text), ...tagFindings(text), ...nameFindings(text)];
}

/** Figures about the comments of a program. */
export interface CommentFigures {
  /** Comments; line comments that follow each other are one. */
  readonly comments: number;
  /** Lines of doc comments at and in exported declarations. */
  readonly exportedLines: number;
  /** Lines of all other comments. */
  readonly otherLines: number;
  /** Occurrences of "says", "tells" and "gives" in comments. */
  readonly doubtful: number;
}

/** Counts the comments of a program, and the words in them that only a reader can judge. */
export function countComments(file: string, text: string): CommentFigures {
  const parsed = parseSync(file, text);
  const comments = readComments(parsed, text);
  const isExported = (start: number, end: number): boolean =>
    parsed.program.body.some(
      (node) =>
        node.type === "ExportNamedDeclaration" &&
        (start < node.start ? text.slice(end, node.start).trim() === "" : start < node.end),
    );
  const lines = { exported: 0, other: 0 };
  for (const { type, value, start, end } of parsed.comments) {
    const isDoc = type === "Block" && value.startsWith("*") && isExported(start, end);
    lines[isDoc ? "exported" : "other"] += value.split("\n").length;
  }
  return {
    comments: comments.length,
    exportedLines: lines.exported,
    otherLines: lines.other,
    doubtful: comments.reduce(
      (sum, each) => sum + [...each.text.matchAll(doubtfulWords)].length,
      0,
    ),
  };
}
