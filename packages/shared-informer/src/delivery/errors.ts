import { ListwatchError } from "@listwatch/core-fifo";

/** Something was asked of an informer that has ended. Code `LW_INFORMER_STOPPED`. */
export class InformerStoppedError extends ListwatchError {
  override readonly name: string = "InformerStoppedError";

  constructor(action: string) {
    super("LW_INFORMER_STOPPED", `Couldn't ${action}: the informer has stopped`);
  }
}

/**
 * Something that is only possible before `run` was asked of a running informer. Code
 * `LW_INFORMER_STARTED`.
 */
export class InformerStartedError extends ListwatchError {
  override readonly name: string = "InformerStartedError";

  constructor(action: string) {
    super("LW_INFORMER_STARTED", `Couldn't ${action}: the informer has already started`);
  }
}

/**
 * A wait for caches or handlers ended before all of them were synced. The `cause` is why the wait
 * ended. Code `LW_NOT_SYNCED`.
 */
export class NotSyncedError extends ListwatchError {
  override readonly name: string = "NotSyncedError";
  /** Names of those that were not synced, sorted. */
  readonly names: readonly string[];

  constructor(names: readonly string[], options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? `: ${options.cause.message}` : "";
    super("LW_NOT_SYNCED", `Couldn't sync ${names.join(", ")}${reason}`, options);
    this.names = names;
  }
}
