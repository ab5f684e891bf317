import { ListwatchError } from "../base/errors.ts";
import { describeObjectName } from "../base/kubernetes-object.ts";
import { describeError } from "../base/values.ts";

/**
 * An object has no key: it has no metadata or no name, or the key function threw (then the
 * `cause`). Code `LW_KEY`.
 */
export class KeyError extends ListwatchError {
  override readonly name: string = "KeyError";
  /** The object that has no key. */
  readonly object: unknown;

  constructor(object: unknown, options?: ErrorOptions) {
    const cause = options?.cause;
    const reason = cause === undefined ? "no reason was given" : describeError(cause);
    super("LW_KEY", `Cannot compute a key for ${describeObjectName(object)}: ${reason}`, options);
    this.object = object;
  }
}

/** An object has no usable metadata, so that it has no key or name. Code `LW_NO_METADATA`. */
export class NoMetadataError extends ListwatchError {
  override readonly name: string = "NoMetadataError";

  constructor(message: string) {
    super("LW_NO_METADATA", message);
  }
}

/** A key has another form than `name` or `namespace/name`. Code `LW_KEY_FORMAT`. */
export class KeyFormatError extends ListwatchError {
  override readonly name: string = "KeyFormatError";
  /** The text that is no key. */
  readonly key: string;

  constructor(key: string) {
    super(
      "LW_KEY_FORMAT",
      `Cannot split the key ${JSON.stringify(key)}: expected "name" or "namespace/name"`,
    );
    this.key = key;
  }
}
