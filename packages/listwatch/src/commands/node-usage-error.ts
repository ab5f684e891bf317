/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
  /** How the command is used. */
  readonly usage: string;

  constructor(message: string, usage: string, options?: ErrorOptions) {
    super(message, options);
    this.usage = usage;
  }
}
