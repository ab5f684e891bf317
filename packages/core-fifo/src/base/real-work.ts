/** Marked work in progress, of the whole process. */
const underWay = new Set<Promise<unknown>>();

/**
 * Marks work that takes real time and uses no clock, such as importing a module or a signature of
 * WebCrypto. A simulated clock stands still until it has ended. Without the mark, minutes of
 * simulated time could pass on a busy machine before a module is loaded.
 *
 * The work must end without a timer of a simulated clock. The caller handles its failure.
 *
 * @returns the given promise
 */
export function inRealTime<T>(work: Promise<T>): Promise<T> {
  underWay.add(work);
  const end = (): void => void underWay.delete(work);
  work.then(end, end);
  return work;
}

/** Whether marked work is in progress. */
export function isRealWorkUnderWay(): boolean {
  return underWay.size > 0;
}

/** Resolves when the marked work that is in progress has ended, successfully or not. */
export async function realWorkEnded(): Promise<void> {
  await Promise.allSettled(underWay);
}
