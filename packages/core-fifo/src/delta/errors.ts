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

/**
 * A resourceVersion is not a decimal number above 0 without sign and leading zeros. Code
 * `LW_RESOURCE_VERSION`.
 */
export class ResourceVersionError extends ListwatchError {
  override readonly name: string = "ResourceVersionError";
  /** The string that is not a resourceVersion. */
  readonly resourceVersion: string;

  constructor(resourceVersion: string) {
    const got = JSON.stringify(resourceVersion);
    super(
      "LW_RESOURCE_VERSION",
      `Cannot compare resourceVersions: expected a decimal number above 0, got ${got}`,
    );
    this.resourceVersion = resourceVersion;
  }
}
