import { BudgetExceeded, CelFailure, noSuchOverload } from "./failures.ts";

/** k8s.io/apiserver pkg/apis/cel/config.go: `PerCallLimit`. */
const perCallLimit = 1_000_000;

/** Steps of comparing or writing an item inside of a value. */
export const stepsPerItem = 0.1;

/** Steps of the evaluation that runs; a nested one, of a variable of a policy, counts its own. */
let steps = 0;
const exceeded = new BudgetExceeded("actual cost limit exceeded");

/** Counts steps of the evaluation that runs. @throws {BudgetExceeded} if it has taken too many */
export function spend(count: number): void {
  steps += count;
  if (steps > perCallLimit) throw exceeded;
}

/** The outcome of an evaluation, and its cost in steps. */
export type Evaluated =
  | { readonly cost: number; readonly value: unknown; readonly failure?: undefined }
  | { readonly cost: number; readonly failure: CelFailure | BudgetExceeded };

/** Evaluates with a separate budget, and ends with {@link BudgetExceeded} when it is spent. */
export function withBudget(evaluate: () => unknown): Evaluated {
  const outer = steps;
  steps = 0;
  try {
    const value = evaluate();
    // A macro may have ignored the error of the call that took too long.
    if (steps > perCallLimit) throw exceeded;
    return { cost: Math.ceil(steps), value };
  } catch (error) {
    // The work that exceeds the limit is not done, so its steps do not count.
    if (steps > perCallLimit) return { cost: perCallLimit, failure: exceeded };
    return { cost: Math.ceil(steps), failure: failureOf(error) };
  } finally {
    steps = outer;
  }
}

/** The evaluator reports a value that is not a boolean in its own words. */
function failureOf(error: unknown): CelFailure {
  if (error instanceof CelFailure) return error;
  const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  return /must be|requires|must return|overload/.test(message)
    ? noSuchOverload()
    : new CelFailure(message);
}
