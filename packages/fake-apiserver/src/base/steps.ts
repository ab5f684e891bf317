/**
 * Work that may wait for promises between its steps. Work that waits for none ends in the turn that
 * began it, so a write that asks nothing outside of the server stays synchronous.
 */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise inside of steps. @throws the reason of a rejection */
export function* waitFor<T>(promise: Promise<T>): Steps<T> {
  // The runner passes the value of the promise back.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (yield promise) as T;
}

/** Runs steps to their end, and returns what they return. */
export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) step = await nextStep(steps, step.value);
  return step.value;
}

async function nextStep<T>(
  steps: Steps<T>,
  promise: Promise<unknown>,
): Promise<IteratorResult<Promise<unknown>, T>> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}

/**
 * Runs steps that wait for nothing, such as the server's own deletes.
 *
 * @throws {TypeError} if they wait
 */
export function runInTurn<T>(steps: Steps<T>): T {
  const step = steps.next();
  if (step.done !== true) throw new TypeError("Expected steps that wait for nothing");
  return step.value;
}
