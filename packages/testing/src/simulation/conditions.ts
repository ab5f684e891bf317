import { describeError, describeValue, isInstance, isPromiseLike } from "@listwatch/core-fifo/base";
import type { Violation } from "../plan/shrink.ts";
import type { ClusterState, LoadedScenario } from "./scenario.ts";

/** Returns the first condition of a kind that is broken, or that cannot be checked. */
export function brokenCondition(
  scenario: LoadedScenario,
  kind: "eventually" | "never",
  state: ClusterState,
): Violation | undefined {
  for (const [name, condition] of Object.entries(scenario[kind] ?? {})) {
    let outcome: unknown;
    try {
      outcome = condition(state);
    } catch (error) {
      return scenarioError(`${kind}: ${name}`, "throws", error);
    }
    if (!isOutcome(outcome)) return wrongResult(`${kind}: ${name}`, outcome, outcomes);
    const found = foundBy(outcome, kind === "never");
    if (found !== undefined) return { invariant: `${kind}: ${name}`, found };
  }
  return undefined;
}

/** Describes an error of a function of the scenario. */
export function scenarioError(
  name: string,
  verb: "rejects with" | "throws",
  cause: unknown,
): Violation {
  const found = `the function ${verb} ${nameError(cause)}`;
  return { invariant: `scenario: ${name}`, found, cause };
}

/** Describes the crash of a process that no fault explains. */
export function crashOf(who: string, cause: unknown): Violation {
  return { invariant: "crash", found: `${who} crashes: ${nameError(cause)}`, cause };
}

/** Describes an error by its name and message. */
export function nameError(error: unknown): string {
  return `${isInstance(error, Error) ? `${error.name}: ` : ""}${describeError(error)}`;
}

/** Describes a result that a function of the scenario must not return. */
export function wrongResult(name: string, result: unknown, expected: string): Violation {
  if (isPromiseLike(result)) result.then(undefined, () => undefined);
  const got = isPromiseLike(result) ? "a promise" : describeValue(result);
  const found = `the function returns ${got}, expected ${expected}`;
  return { invariant: `scenario: ${name}`, found };
}

const outcomes = "true, false, undefined or a string";

type Outcome = boolean | string | undefined;

function isOutcome(value: unknown): value is Outcome {
  return value === undefined || typeof value === "boolean" || typeof value === "string";
}

/** Returns the outcome of a condition if that is not as it should be. */
function foundBy(outcome: Outcome, mustNotHold: boolean): string | undefined {
  if (typeof outcome === "string") return outcome;
  if (mustNotHold) return outcome === true ? "it holds" : undefined;
  return outcome === true ? undefined : "it does not hold";
}
