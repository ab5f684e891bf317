/**
 * Leaves out parts of a list as long as the rest still shows the failure: all of it first, then
 * halves, at last single members.
 *
 * @param attempt tries a shorter list; returns the list to continue with, or `undefined` if it does
 *   not show the failure
 * @returns the shortest list that was found
 */
export async function reduceList<T>(
  list: readonly T[],
  attempt: (shorter: readonly T[]) => Promise<readonly T[] | undefined>,
): Promise<readonly T[]> {
  let least = list;
  for (let size = list.length; size > 0 && least.length > 0;) {
    for (let from = 0; from < least.length;) {
      const shorter = await attempt(least.toSpliced(from, size));
      if (shorter === undefined) from += size;
      else least = shorter;
    }
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return least;
}
