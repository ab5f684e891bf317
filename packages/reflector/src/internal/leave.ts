/**
 * Tells an iterator that nobody reads on. It is not waited for: a generator that sits in a read
 * ends only when that read does, and what it says then interests nobody.
 */
export function leave(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().then(undefined, () => undefined);
}
