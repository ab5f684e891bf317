import { ListwatchError } from "../base/errors.ts";

/** No object has this key. Code `LW_KEY_NOT_FOUND`. */
export class KeyNotFoundError extends ListwatchError {
  override readonly name: string = "KeyNotFoundError";
  /** The key that was looked up. */
  readonly key: string;

  constructor(key: string) {
    super("LW_KEY_NOT_FOUND", `Cannot find an object with the key ${JSON.stringify(key)}`);
    this.key = key;
  }
}

/** The queue is closed: it is empty, or does not accept writes. Code `LW_QUEUE_CLOSED`. */
export class QueueClosedError extends ListwatchError {
  override readonly name: string = "QueueClosedError";

  constructor(message: string) {
    super("LW_QUEUE_CLOSED", message);
  }
}

/** The cache behind a queue failed to look up a key; see `cause`. Code `LW_KNOWN_OBJECT`. */
export class KnownObjectError extends ListwatchError {
  override readonly name: string = "KnownObjectError";
  /** The key that was looked up. */
  readonly key: string;

  constructor(key: string, options: ErrorOptions) {
    super("LW_KNOWN_OBJECT", `Cannot look up ${JSON.stringify(key)} in the known objects`, options);
    this.key = key;
  }
}

/**
 * Thrown by a processor to put its item back into the queue, unless the same key has been queued
 * again. The pop then fails with the `cause`, or succeeds if there is none. Code `LW_REQUEUE`.
 */
export class RequeueError extends ListwatchError {
  override readonly name: string = "RequeueError";

  constructor(options?: ErrorOptions) {
    super("LW_REQUEUE", "The item is to be queued again", options);
  }
}
