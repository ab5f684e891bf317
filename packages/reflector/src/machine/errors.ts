import { describeValue, ListwatchError } from "@listwatch/core-fifo/base";

/** The server answered with a Table, meant for display. Code `LW_UNSUPPORTED_TABLE`. */
export class UnsupportedTableError extends ListwatchError {
  override readonly name: string = "UnsupportedTableError";

  constructor(apiVersion: string) {
    super(
      "LW_UNSUPPORTED_TABLE",
      `Cannot list: expected a list of objects, got a Table of ${apiVersion}`,
    );
  }
}

/** A watch ended within a second, with no event. Code `LW_VERY_SHORT_WATCH`. */
export class VeryShortWatchError extends ListwatchError {
  override readonly name: string = "VeryShortWatchError";

  constructor(name: string) {
    super(
      "LW_VERY_SHORT_WATCH",
      `Cannot watch ${name}: the watch ended within a second and delivered no event`,
    );
  }
}

/** A streamed list ended before it was complete. Code `LW_STREAMED_LIST_CUT`. */
export class StreamedListCutError extends ListwatchError {
  override readonly name: string = "StreamedListCutError";
  /** Objects that had arrived. */
  readonly events: number;

  constructor(name: string, events: number) {
    super(
      "LW_STREAMED_LIST_CUT",
      `Cannot list ${name}: the server ended the streamed list after ${events} objects, ` +
        "before it was complete",
    );
    this.events = events;
  }
}

/** An event carried something that it should not. Code `LW_UNEXPECTED_OBJECT`. */
export class UnexpectedObjectError extends ListwatchError {
  override readonly name: string = "UnexpectedObjectError";
  readonly object: unknown;

  constructor(expected: string, object: unknown) {
    super(
      "LW_UNEXPECTED_OBJECT",
      `Cannot use an event of the watch: expected ${expected}, got ${describeValue(object)}`,
    );
    this.object = object;
  }
}

/** The run ended before a resourceVersion was reached. Code `LW_REFLECTOR_STOPPED`. */
export class ReflectorStoppedError extends ListwatchError {
  override readonly name: string = "ReflectorStoppedError";

  constructor(name: string) {
    super(
      "LW_REFLECTOR_STOPPED",
      `Cannot wait for a resourceVersion: expected ${name} to run, but it has stopped`,
    );
  }
}

/** What a lister-watcher gave for a watch cannot be iterated. Code `LW_NOT_A_WATCH`. */
export class NotAWatchError extends ListwatchError {
  override readonly name: string = "NotAWatchError";

  constructor(got: string) {
    super("LW_NOT_A_WATCH", `Cannot watch: expected an async iterable of events, got ${got}`);
  }
}
