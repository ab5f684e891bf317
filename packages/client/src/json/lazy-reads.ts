let count = 0;

/**
 * Number of members that were read of all lazy objects of this program. An index function or a
 * transform that reads `spec` reads it of every object, which shows here.
 */
export function countLazyReads(): number {
  return count;
}

/** Counts one more. */
export function noteLazyRead(): void {
  count++;
}
