import * as fc from "fast-check";
import type { AnyTarget } from "./target.ts";

/** A minimized input that shows a fault. */
export interface Found {
  readonly input: unknown;
  readonly error: unknown;
  readonly shrinks: number;
}

export interface SearchResult {
  readonly inputs: number;
  readonly found: Found | undefined;
}

/** Inputs per round. The search reads the clock only between rounds. */
const usualRound = 50;
/** Longer than any check takes; a check that exceeds it hangs. */
const checkLimitMs = 300_000;

/**
 * Tries inputs until the search is over or one shows a fault, at least one round. The same seed
 * tries the same inputs.
 *
 * @param isOver called after each round with the number of inputs
 */
export async function search(
  target: AnyTarget,
  seed: number,
  isOver: (inputs: number) => boolean,
  roundLength = usualRound,
): Promise<SearchResult> {
  const property = fc.asyncProperty(target.inputs, async (input) => {
    await target.check(input);
  });
  let inputs = 0;
  for (let round = 0; round === 0 || !isOver(inputs); round++) {
    const runs = fc.check(property, {
      seed: (seed + round) | 0,
      numRuns: roundLength,
      plugins: [fc.timeout(checkLimitMs)],
    });
    // Rejects when no input can be made, which is a fault of the target.
    const details = await runs.catch((error: unknown) => {
      throw new Error(`Cannot make inputs for ${target.name}`, { cause: error });
    });
    inputs += details.numRuns;
    if (details.failed) {
      const { counterexample } = details;
      const input: unknown = Array.isArray(counterexample) ? counterexample[0] : undefined;
      const found = { input, error: details.errorInstance, shrinks: details.numShrinks };
      return { inputs, found };
    }
  }
  return { inputs, found: undefined };
}
