/** An error in the command line. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
  /** Usage text of the command. */
  readonly usage: string;

  constructor(message: string, usage: string, options?: ErrorOptions) {
    super(message, options);
    this.usage = usage;
  }
}
