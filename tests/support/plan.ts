// The plan of a random test: draws by seed and key, and the fewest steps that show a problem. The
// simulations of users (`packages/testing`) draw and reduce with the same functions.
import { reduceList } from "../../packages/testing/src/plan/reduce.ts";

export { drawInteger, hashText } from "../../packages/testing/src/plan/draw.ts";

/** How the steps of a random test went. */
export interface Outcome {
  readonly problems: readonly string[];
  /** The fewest steps that were found to show the first problem, by number. */
  readonly steps?: readonly number[];
}

/**
 * Runs all steps of a random test, and fewer of them if there is a problem: steps are left out as
 * long as the first problem is of the same kind.
 *
 * @param run runs the steps with these numbers. What a step draws must not depend on other steps
 */
export async function playSteps(
  count: number,
  run: (steps: readonly number[]) => Promise<readonly string[]>,
): Promise<Outcome> {
  const all = Array.from({ length: count }, (_, step) => step);
  let problems = await run(all);
  if (problems.length === 0) return { problems };
  const kind = kindOf(problems);
  const steps = await reduceList(all, async (fewer) => {
    const found = await run(fewer);
    if (kindOf(found) !== kind) return undefined;
    problems = found;
    return fewer;
  });
  return { problems, steps };
}

/** A problem without its numbers and values. */
function kindOf([problem = ""]: readonly string[]): string {
  return problem.replace(/[{[].*$/s, "").replaceAll(/\d+/g, "#");
}
