import { ListwatchError } from "../base/errors.ts";
import { describeValue } from "../base/values.ts";

/**
 * An object has no key: it has no metadata or no name, or the key function threw (then the
 * `cause`). Code `LW_KEY`.
 */
export class KeyError extends ListwatchError {
  override readonly name: string = "KeyError";
  /** The object no key could be computed for. */
  readonly object: unknown;

  constructor(object: unknown, options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? options.cause.message : "no reason was given";
    super("LW_KEY", `Couldn't compute a key for ${describeValue(object)}: ${reason}`, options);
    this.object = object;
  }
}

/** A key or name was asked of something without usable metadata. Code `LW_NO_METADATA`. */
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
      `Couldn't split the key ${JSON.stringify(key)}: expected "name" or "namespace/name"`,
    );
    this.key = key;
  }
}

/** There is no object with this key. Code `LW_KEY_NOT_FOUND`. */
export class KeyNotFoundError extends ListwatchError {
  override readonly name: string = "KeyNotFoundError";
  /** The key that was asked for. */
  readonly key: string;

  constructor(key: string) {
    super("LW_KEY_NOT_FOUND", `Couldn't find an object with the key ${JSON.stringify(key)}`);
    this.key = key;
  }
}

/** The queue is closed and has nothing left, or no longer takes writes. Code `LW_QUEUE_CLOSED`. */
export class QueueClosedError extends ListwatchError {
  override readonly name: string = "QueueClosedError";

  constructor(message: string) {
    super("LW_QUEUE_CLOSED", message);
  }
}

/**
 * The cache behind a queue failed to look a key up; what it threw is the `cause`. Code
 * `LW_KNOWN_OBJECT`.
 */
export class KnownObjectError extends ListwatchError {
  override readonly name: string = "KnownObjectError";
  /** The key that was looked up. */
  readonly key: string;

  constructor(key: string, options: ErrorOptions) {
    super(
      "LW_KNOWN_OBJECT",
      `Couldn't look up ${JSON.stringify(key)} in the known objects`,
      options,
    );
    this.key = key;
  }
}

/**
 * Thrown by a processor to have its item put back in the queue, unless the same key has been queued
 * again meanwhile. The pop then fails with the `cause`, or succeeds if there is none. Code
 * `LW_REQUEUE`.
 */
export class RequeueError extends ListwatchError {
  override readonly name: string = "RequeueError";

  constructor(options?: ErrorOptions) {
    super("LW_REQUEUE", "The item is to be queued again", options);
  }
}

/**
 * A resourceVersion is no decimal number without sign and leading zeros, or is 0. Code
 * `LW_RESOURCE_VERSION`.
 */
export class ResourceVersionError extends ListwatchError {
  override readonly name: string = "ResourceVersionError";
  /** The text that is no resourceVersion. */
  readonly resourceVersion: string;

  constructor(resourceVersion: string) {
    super(
      "LW_RESOURCE_VERSION",
      `Couldn't compare resourceVersions: expected a decimal number above 0, got ${JSON.stringify(resourceVersion)}`,
    );
    this.resourceVersion = resourceVersion;
  }
}

/**
 * A transform threw; what it threw is the `cause`. The write it belonged to had no effect, or left
 * this object of a list out. Code `LW_TRANSFORM`.
 */
export class TransformError extends ListwatchError {
  override readonly name: string = "TransformError";

  constructor(object: unknown, cause: unknown) {
    super(
      "LW_TRANSFORM",
      `Couldn't transform ${describeValue(object)}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
