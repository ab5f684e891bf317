import { describeValue, ListwatchError } from "@listwatch/core-fifo/base";

/** An event carried something that it should not. Code `LW_UNEXPECTED_OBJECT`. */
export class UnexpectedObjectError extends ListwatchError {
  /** Always `"UnexpectedObjectError"`, also in minified programs. */
  override readonly name: string = "UnexpectedObjectError";
  /** Content of the event, as received. */
  readonly object: unknown;

  /** @param expected description of the expected content, for the message */
  constructor(expected: string, object: unknown) {
    super(
      "LW_UNEXPECTED_OBJECT",
      `Cannot use an event of the watch: expected ${expected}, got ${describeValue(object)}`,
      { advice: "Check the resource, and proxies that change answers" },
    );
    this.object = object;
  }
}

/**
 * The server's resourceVersions went back: its storage was restored to an earlier state, or another
 * server has its address. Code `LW_OTHER_HISTORY`.
 */
export class OtherHistoryError extends ListwatchError {
  /** Always `"OtherHistoryError"`, also in minified programs. */
  override readonly name: string = "OtherHistoryError";
  /** The resourceVersion up to which the store had been brought. */
  readonly seen: string;
  /** The lower resourceVersion that the server sent. */
  readonly got: string;

  /**
   * @param name name of the reflector
   * @param seen resourceVersion up to which the store had been brought
   * @param got lower resourceVersion that the server sent
   */
  constructor(name: string, seen: string, got: string) {
    super(
      "LW_OTHER_HISTORY",
      `Cannot continue ${name} from resourceVersion ${seen}: the server is at ${got}, so that ` +
        "its storage was restored or replaced",
      {
        advice:
          "The server was restored or replaced; everything is listed again. Check that this was " +
          "intended",
      },
    );
    this.seen = seen;
    this.got = got;
  }
}

const earlyEndAdvice =
  "The server, or a proxy in front, closes watches early: check its time limits and logs";

/** Creates the error for a watch that ended within a second, with no event. */
export function createVeryShortWatchError(name: string): ListwatchError {
  return new ListwatchError(
    "LW_VERY_SHORT_WATCH",
    `Cannot watch ${name}: the watch ended within a second and delivered no event`,
    {
      advice:
        "The server, or a proxy in front, closes watches at once: check its time limits and logs",
    },
  );
}

/**
 * Creates the error for watch after watch that the server ends early and without a byte.
 *
 * @param closes number of them in a row
 */
export function createSilentWatchesError(name: string, closes: number): ListwatchError {
  return new ListwatchError(
    "LW_SILENT_WATCHES",
    `Cannot trust the watches of ${name}: ${closes} in a row ended before the time that was ` +
      "requested and without a byte, as behind a proxy that does not pass on what it gets",
    { advice: earlyEndAdvice },
  );
}

/**
 * Creates the error for a streamed list that ended before it was complete.
 *
 * @param events number of objects that had arrived
 * @param cause error with which it ended, if there was one
 */
export function createStreamedListCutError(
  name: string,
  events: number,
  cause?: unknown,
): ListwatchError {
  return new ListwatchError(
    "LW_STREAMED_LIST_CUT",
    `Cannot list ${name}: the server ended the streamed list after ${events} objects, ` +
      "before it was complete",
    { advice: earlyEndAdvice, cause },
  );
}
