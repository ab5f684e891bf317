let count = 0;

/**
 * Returns how often a lazy member was read in this program. An index function or a transform that
 * reads `spec` reads it for every object, which shows here.
 */
export function countLazyReads(): number {
  return count;
}

/** Counts one read. */
export function noteLazyRead(): void {
  count++;
}
