import { ListwatchError } from "../base/errors.ts";
import { describeObjectName } from "../base/kubernetes-object.ts";
import { describeError } from "../base/values.ts";

/**
 * An object has no key: it has no metadata or no name, or the key function threw (see `cause`).
 * Code `LW_KEY`.
 */
export class KeyError extends ListwatchError {
  override readonly name: string = "KeyError";
  /** The object without a key. */
  readonly object: unknown;

  constructor(object: unknown, options?: ErrorOptions) {
    const cause = options?.cause;
    const reason = cause === undefined ? "no reason was given" : describeError(cause);
    super("LW_KEY", `Cannot compute a key for ${describeObjectName(object)}: ${reason}`, {
      ...options,
      advice: "Check the key function, and that each object has metadata with a name",
    });
    this.object = object;
  }
}
