/**
 * Bytes are no protobuf message. What reads them says to the outside where they come from, in an
 * error of its own.
 */
export class WireError extends Error {
  override readonly name: string = "WireError";
  /** What should have been there. */
  readonly expected: string;
  /** Position in the bytes that were read. */
  readonly position: number;

  constructor(expected: string, position: number, options?: ErrorOptions) {
    super(`Expected ${expected} at byte ${position}`, options);
    this.expected = expected;
    this.position = position;
  }
}
