import * as fc from "fast-check";
import type { AnyTarget } from "./target.ts";

/** An input that shows a fault, as small as it could be made. */
export interface Found {
  readonly input: unknown;
  readonly error: unknown;
  readonly shrinks: number;
}

/** What a search has found. */
export interface SearchResult {
  readonly inputs: number;
  readonly found: Found | undefined;
}

/** Inputs of one round. Between rounds the search looks at the clock, within one it does not. */
const usualRound = 50;
/** Longer than any check takes; what takes longer hangs. */
const checkLimitMs = 300_000;

/**
 * Tries inputs until the search is over or one shows a fault, one round at least. The same seed
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
    // Rejects when no input could be made at all: a fault of the target, in its own words.
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
