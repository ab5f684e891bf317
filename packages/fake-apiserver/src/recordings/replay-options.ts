import type { JsonObject, Log } from "@listwatch/core-fifo/base";

/** Options of `Replay`. */
export interface ReplayOptions {
  /**
   * Moment of the recording to begin with: `+3m12s` since its start, or an ISO time. The state of
   * that moment is stored at once, and the rest follows. The first list of each resource is stored
   * at once in any case.
   *
   * @default "+0s"
   */
  readonly at?: string | undefined;
  /** Speed of the replay: 10 plays an hour in 6 minutes of the server's clock. @default 1 */
  readonly speed?: number | undefined;
  /**
   * Answer to writes of clients. `"refuse"` answers 405. With `"apply"` they count, and a recorded
   * change of an object that another client has written since is left out and reported as a
   * divergence.
   *
   * @default "refuse"
   */
  readonly writes?: "apply" | "refuse" | undefined;
  /** Called with each recorded change that was left out. @default the log, as a warning */
  readonly onDivergence?: ((divergence: Divergence) => void) | undefined;
  /** Log of the replay. @default console */
  readonly log?: Log | undefined;
}

/** A recorded change that was left out, since the object was written during the replay. */
export interface Divergence {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  /** Plural name of the resource, with its group: `deployments.apps`. */
  readonly resource: string;
  /** Namespace and name of the object: `default/web`. */
  readonly key: string;
  /** State in the recording; `undefined` if it was deleted there. */
  readonly recorded: JsonObject | undefined;
  /** State in the server, which stays; `undefined` if it was deleted. */
  readonly stored: JsonObject | undefined;
}
