import type { RE2JS } from "re2js";
import { linearPattern, patternProblem } from "../schema/pattern.ts";
import { spend } from "./budget.ts";
import { matchSteps } from "./costs.ts";
import { CelFailure } from "./failures.ts";

// From the time that they take: a step is about three microseconds.
const stepsPerInstruction = 4;
const stepsPerVisit = { test: 0.003, find: 0.03 };

/** Patterns whose compilation was counted. */
const compiledOnes = new WeakSet<RE2JS>();

/** `text.matches(pattern)`. @throws {CelFailure} for an invalid pattern */
export function matchesText(text: string, pattern: string): boolean {
  const engine = compiled(pattern);
  spend(Math.max(0, visitSteps(engine, text.length, "test") - matchSteps(text, pattern)));
  return engine.test(text);
}

/**
 * Returns the matches of a pattern in a string.
 *
 * @param limit the most matches; all if it is negative
 * @throws {CelFailure} for an invalid pattern
 */
export function findInText(text: string, pattern: string, limit: number): readonly string[] {
  const engine = compiled(pattern);
  const matcher = engine.matcher(text);
  const found: string[] = [];
  // Each search may read all of the rest; the call itself counts one.
  let counted = matchSteps(text, pattern);
  let rest = text.length;
  while (found.length !== limit) {
    spend(Math.max(0, visitSteps(engine, rest, "find") - counted));
    if (!matcher.find()) break;
    found.push(matcher.group() ?? "");
    rest = text.length - matcher.end();
    counted = 0;
  }
  return found;
}

/** A pattern of few characters may have many instructions, such as `a{1000}`. */
function visitSteps(engine: RE2JS, characters: number, use: "find" | "test"): number {
  return engine.programSize() * characters * stepsPerVisit[use];
}

function compiled(pattern: string): RE2JS {
  const problem = patternProblem(pattern);
  const engine = linearPattern(pattern);
  if (problem !== undefined || engine === undefined) {
    const reason = problem?.replace("must be a valid regular expression, but isn't: ", "");
    throw new CelFailure(reason ?? "patterns cannot be evaluated yet");
  }
  if (!compiledOnes.has(engine)) {
    compiledOnes.add(engine);
    spend(engine.programSize() * stepsPerInstruction);
  }
  return engine;
}
