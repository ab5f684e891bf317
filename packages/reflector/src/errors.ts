import { describeValue, ListwatchError } from "@listwatch/core-fifo";

/** What a lister-watcher gave for a watch cannot be iterated. Code `LW_NOT_A_WATCH`. */
export class NotAWatchError extends ListwatchError {
  override readonly name: string = "NotAWatchError";

  constructor(got: string) {
    super("LW_NOT_A_WATCH", `Couldn't watch: expected an async iterable of events, got ${got}`);
  }
}

/** The server answered with a Table, meant for display (REF-40). Code `LW_UNSUPPORTED_TABLE`. */
export class UnsupportedTableError extends ListwatchError {
  override readonly name: string = "UnsupportedTableError";

  constructor(apiVersion: string) {
    super(
      "LW_UNSUPPORTED_TABLE",
      `Couldn't list: expected a list of objects, got a Table of ${apiVersion}`,
    );
  }
}

/** A watch ended within a second, with no event (REF-35). Code `LW_VERY_SHORT_WATCH`. */
export class VeryShortWatchError extends ListwatchError {
  override readonly name: string = "VeryShortWatchError";

  constructor(name: string) {
    super(
      "LW_VERY_SHORT_WATCH",
      `Couldn't watch ${name}: the watch ended within a second and delivered no event`,
    );
  }
}

/** An ERROR event carried something that is no Status (RST-3). Code `LW_UNEXPECTED_OBJECT`. */
export class UnexpectedObjectError extends ListwatchError {
  override readonly name: string = "UnexpectedObjectError";
  readonly object: unknown;

  constructor(expected: string, object: unknown) {
    super(
      "LW_UNEXPECTED_OBJECT",
      `Couldn't use an event of the watch: expected ${expected}, got ${describeValue(object)}`,
    );
    this.object = object;
  }
}

/** The run ended before a resourceVersion that was waited for. Code `LW_REFLECTOR_STOPPED`. */
export class ReflectorStoppedError extends ListwatchError {
  override readonly name: string = "ReflectorStoppedError";

  constructor(name: string) {
    super(
      "LW_REFLECTOR_STOPPED",
      `Couldn't wait for a resourceVersion: expected ${name} to run, but it has stopped`,
    );
  }
}

/** `run` was called while an earlier call still runs. Code `LW_ALREADY_RUNNING`. */
export class AlreadyRunningError extends ListwatchError {
  override readonly name: string = "AlreadyRunningError";

  constructor(name: string) {
    super("LW_ALREADY_RUNNING", `Couldn't run ${name}: it runs already; wait for its end first`);
  }
}
