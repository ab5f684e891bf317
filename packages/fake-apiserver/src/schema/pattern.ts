import { inRealTime } from "@listwatch/core-fifo/base";
import type { RE2JS } from "re2js";

interface Matcher {
  test(text: string): boolean;
  /** Undefined until the engine is loaded. */
  readonly linear?: RE2JS;
}

type Compiled =
  | { readonly matcher: Matcher; readonly problem?: undefined }
  | { readonly matcher?: undefined; readonly problem: string };

/** Compiled patterns, oldest first: schemas have few patterns and objects many values. */
const compiledPatterns = new Map<string, Compiled>();

/** More than all definitions of a large cluster have; a pattern takes some hundred bytes. */
const mostCompiled = 1000;

const refused = "must be a valid regular expression, but isn't";

let engine: typeof RE2JS | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the linear-time pattern engine: re2js, a port of Go's engine, 65 kB gzipped in a bundle.
 * Await it before checking patterns in schemas or objects of clients.
 *
 * Until it is loaded, that is for the constructor's options, JavaScript's own engine is used. It
 * backtracks, and accepts patterns unread that only Go understands.
 */
export function loadPatternEngine(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const { RE2JS: loaded } = await inRealTime(import("re2js"));
  engine = loaded;
  compiledPatterns.clear();
}

/**
 * Whether a string matches a pattern (Go's RE2 syntax). An invalid pattern matches nothing, as on
 * the server.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return compile(pattern).matcher?.test(text) ?? false;
}

/** Returns a compiled pattern; undefined for an invalid one, and until the engine is loaded. */
export function linearPattern(pattern: string): RE2JS | undefined {
  return compile(pattern).matcher?.linear;
}

/** Returns the API server's message about an invalid pattern; undefined for a valid one. */
export function patternProblem(pattern: string): string | undefined {
  return compile(pattern).problem;
}

function compile(pattern: string): Compiled {
  const known = compiledPatterns.get(pattern);
  if (known !== undefined) return known;
  const compiled = engine === undefined ? standIn(pattern) : compileLinear(engine, pattern);
  compiledPatterns.set(pattern, compiled);
  const [oldest] = compiledPatterns.keys();
  if (compiledPatterns.size > mostCompiled && oldest !== undefined) compiledPatterns.delete(oldest);
  return compiled;
}

function compileLinear(linear: typeof RE2JS, pattern: string): Compiled {
  try {
    const compiled = linear.compile(pattern);
    return { matcher: { test: (text) => compiled.test(text), linear: compiled } };
  } catch (error) {
    // The messages are those of Go's regexp.Compile, except for an empty position.
    const message = error instanceof Error ? error.message : String(error);
    const where = message.includes("`") ? "" : ": ``";
    return { problem: `${refused}: ${message}${where}` };
  }
}

function standIn(pattern: string): Compiled {
  try {
    const compiled = new RegExp(pattern, "u");
    return { matcher: { test: (text) => compiled.test(text) } };
  } catch {
    return { matcher: { test: () => true } };
  }
}
