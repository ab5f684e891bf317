/** A selector the server refuses. The message is that of its 400 answer. */
export class SelectorError extends Error {
  override readonly name: string = "SelectorError";
}
