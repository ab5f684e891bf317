import { describeError, ListwatchError } from "@listwatch/core-fifo/base";

/**
 * The credentials for a request could not be obtained; `cause` is what their source failed with.
 * Code `LW_CREDENTIALS`.
 */
export class CredentialsError extends ListwatchError {
  override readonly name: string = "CredentialsError";

  constructor(attempted: string, options: { readonly cause: unknown }) {
    super("LW_CREDENTIALS", `${attempted}: ${describeError(options.cause)}`, options);
  }
}
