/**
 * Ends an iteration early. Does not wait for the iterator: a generator that sits in a read ends
 * only when that read does, and what it throws then has no reader.
 */
export function returnIterator(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().then(undefined, () => undefined);
}
