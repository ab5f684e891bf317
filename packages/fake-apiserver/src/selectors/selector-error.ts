/** A selector the server refuses; the message is the text of its 400 answer. */
export class SelectorError extends Error {
  override readonly name: string = "SelectorError";
}
