/** What is under way, in the whole process. */
const underWay = new Set<Promise<unknown>>();

/**
 * Marks work that takes real time and that no clock knows of, such as the import of a module or a
 * signature of WebCrypto: a simulated clock stands still until it has ended. Without the mark a
 * simulation would let minutes pass on a busy machine before a module is there.
 *
 * The work must end by itself, without a timer of a simulated clock. A failure is the caller's.
 *
 * @returns the promise that was given
 */
export function inRealTime<T>(work: Promise<T>): Promise<T> {
  underWay.add(work);
  const end = (): void => void underWay.delete(work);
  work.then(end, end);
  return work;
}

/** Whether marked work is under way. */
export function isRealWorkUnderWay(): boolean {
  return underWay.size > 0;
}

/** Resolves when the marked work that is under way now has ended, however it ends. */
export async function realWorkEnded(): Promise<void> {
  await Promise.allSettled(underWay);
}
