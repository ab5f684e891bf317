/** Compiled patterns; schemas have few of them and objects many values. */
const COMPILED = new Map<string, RegExp | undefined>();

/** POSIX classes of Go's regular expressions that JavaScript lacks. */
const POSIX_CLASSES: ReadonlyMap<string, string> = new Map([
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
 * Whether a text matches a pattern of a schema (Go's RE2 syntax, which is mostly JavaScript's). A pattern that cannot
 * be compiled matches nothing, as on the server.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return compile(pattern)?.test(text) ?? false;
}

/** Whether the pattern can be compiled. */
export function isPattern(pattern: string): boolean {
  return compile(pattern) !== undefined;
}

function compile(pattern: string): RegExp | undefined {
  if (!COMPILED.has(pattern)) COMPILED.set(pattern, translate(pattern));
  return COMPILED.get(pattern);
}

function translate(pattern: string): RegExp | undefined {
  // Flags at the start are the only ones JavaScript can express for the whole pattern.
  const [, flags = "", rest = ""] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? [];
  const source = rest
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => POSIX_CLASSES.get(name) ?? whole)
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
