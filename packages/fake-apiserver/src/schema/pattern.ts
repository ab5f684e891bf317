import { goPatternProblem } from "./go-pattern.ts";

/** Compiled patterns, oldest first; schemas have few of them and objects many values. */
const compiledPatterns = new Map<string, RegExp | undefined>();

/** More than the patterns of all definitions of a large cluster; each takes some hundred bytes. */
const mostCompiled = 1000;

/** POSIX classes of Go's regular expressions that JavaScript lacks. */
const posixClasses: ReadonlyMap<string, string> = new Map([
  ["alpha", "A-Za-z"],
  ["digit", "0-9"],
  ["alnum", "A-Za-z0-9"],
  ["upper", "A-Z"],
  ["lower", "a-z"],
  ["space", "\\s"],
  ["punct", "!-\\/:-@\\[-`{-~"],
  ["word", "\\w"],
  ["xdigit", "0-9A-Fa-f"],
]);

/**
 * Whether a text matches a pattern of a schema (Go's RE2 syntax, which is mostly JavaScript's). A
 * pattern that cannot be compiled matches nothing, as on the server.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return compile(pattern)?.test(text) ?? false;
}

/** What is wrong with a pattern, in the words of the API server; `undefined` if it can be used. */
export function patternProblem(pattern: string): string | undefined {
  const refused = "must be a valid regular expression, but isn't";
  const problem = goPatternProblem(pattern);
  if (problem !== undefined) return `${refused}: ${problem}`;
  return compile(pattern) === undefined ? refused : undefined;
}

function compile(pattern: string): RegExp | undefined {
  const known = compiledPatterns.get(pattern);
  if (known !== undefined || compiledPatterns.has(pattern)) return known;
  const compiled = translate(pattern);
  compiledPatterns.set(pattern, compiled);
  const [oldest] = compiledPatterns.keys();
  if (compiledPatterns.size > mostCompiled && oldest !== undefined) compiledPatterns.delete(oldest);
  return compiled;
}

function translate(pattern: string): RegExp | undefined {
  // Flags at the start are the only ones JavaScript can express for the whole pattern.
  const [, flags = "", rest = ""] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? [];
  const source = rest
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => posixClasses.get(name) ?? whole)
    .replaceAll("\\A", "^")
    .replaceAll("\\z", "$")
    .replaceAll("(?P<", "(?<");
  return tryCompile(source, `${flags}u`) ?? tryCompile(source, flags);
}

function tryCompile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
