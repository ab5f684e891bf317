import { inRealTime } from "@listwatch/core-fifo/base";
import type { RE2JS } from "re2js";

/** The part of a compiled pattern that is used here. */
interface Matcher {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
}

/** A pattern that was looked at: it can be used, or it has a problem. */
type Compiled =
  | { readonly matcher: Matcher; readonly problem?: undefined }
  | { readonly matcher?: undefined; readonly problem: string };

/** Compiled patterns, oldest first; schemas have few of them and objects many values. */
const compiledPatterns = new Map<string, Compiled>();

/** More than the patterns of all definitions of a large cluster; each takes some hundred bytes. */
const mostCompiled = 1000;

const refused = "must be a valid regular expression, but isn't";

let engine: typeof RE2JS | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the engine that matches patterns in linear time (re2js, a port of the one that Go uses: 65
 * kB of a bundle, gzipped). To be awaited before the patterns of a client's schemas and objects are
 * looked at.
 *
 * Until then, that is for what is given to a server's constructor, JavaScript's own expressions
 * stand in: they backtrack, and patterns that only Go understands are taken unread.
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
 * Whether a text matches a pattern of a schema (Go's RE2 syntax). A pattern that cannot be compiled
 * matches nothing, as on the server.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return compile(pattern).matcher?.test(text) ?? false;
}

/** What is wrong with a pattern, in the words of the API server; `undefined` if it can be used. */
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
    return { matcher: linear.compile(pattern) };
  } catch (error) {
    // Its messages are those of Go's regexp.Compile, except for a place that is no text.
    const message = error instanceof Error ? error.message : String(error);
    const where = message.includes("`") ? "" : ": ``";
    return { problem: `${refused}: ${message}${where}` };
  }
}

function standIn(pattern: string): Compiled {
  try {
    return { matcher: new RegExp(pattern, "u") };
  } catch {
    return { matcher: { test: () => true } };
  }
}
