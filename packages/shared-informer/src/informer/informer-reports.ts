import type { Clock } from "@listwatch/core-fifo";
import {
  callHook,
  FailureLog,
  inRealTime,
  isInstance,
  ListwatchError,
  type Failure,
  type LogFields,
} from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import type { ListenerHooks } from "../delivery/processor-listener.ts";
import type { ErrorOrigin, InformerOptions, ReportError } from "./informer-options.ts";
import type { InformerProblem } from "./informer-status.ts";

const doLess = "Let the handler do less, such as adding the key to a work queue";

/** Shortest time between two warnings of one slow handler, in milliseconds. */
const repeatMs = 60_000;

/** Origin of an error that the informer logs itself. */
type LoggedOrigin<T> = Exclude<ErrorOrigin<T>, { readonly kind: "watch" }>;

/** Name, log and hook of an informer. */
type ReportOptions<T> = Pick<InformerOptions<T, never>, "onError" | "telemetry"> & {
  readonly name: string;
  readonly clock: Clock;
};

/** Passes the errors that an informer recovers from to `onError`, or logs them. */
export class InformerReports<T> {
  readonly #onError: ReportOptions<T>["onError"];
  readonly #log: FailureLog;
  readonly #problem: () => InformerProblem | undefined;
  readonly #clock: Clock;
  /** Times of the newest warnings, by id. */
  readonly #warnedMs = new Map<string, number>();

  /** @param problem returns the current problem of the informer */
  constructor(
    { clock, name, onError, telemetry }: ReportOptions<T>,
    problem: () => InformerProblem | undefined,
  ) {
    this.#problem = problem;
    this.#clock = clock;
    this.#onError = onError;
    this.#log = new FailureLog({ log: telemetry?.log, clock, fields: { informer: name } });
  }

  readonly report: ReportError<T> = (error, origin) => {
    const onError = this.#onError;
    // The source knows which failures are normal, and when they are over.
    if (origin.kind === "watch") return onError === undefined ? "log" : onError(error, origin);
    if (onError === undefined) this.#log.report({ ...this.#describe(origin), error });
    else callHook(() => void onError(error, origin));
    return undefined;
  };

  /** Hooks of the mailbox of each handler. */
  readonly hooks: ListenerHooks<T> = {
    onHandlerError: (error, { name }, event) => {
      const origin = { kind: "handler", handler: name, event } as const;
      const report = (reason: unknown): void => void this.report(reason, origin);
      if (isInstance(error, TypeError) && Object.isFrozen(event.object)) {
        void explain(error, event, report);
      } else report(error);
    },
    onLongBacklog: (handler, backlog) => {
      const advice = `${doLess}, or limit it with maxBacklog`;
      this.#log.warn("Mailbox of a handler is long", { handler, backlog, advice });
    },
    /** Once a minute for each handler. */
    onSlowHandler: ({ backlog, durationMs, name }) => {
      const fields = { handler: name, durationMs, backlog, advice: doLess };
      this.#warn("Handler is slow", fields, name, repeatMs);
    },
  };

  /** Logs that a handler gets its resyncs less often than requested. */
  warnOfResync(handler: string, requestedMs: number, effectiveMs: number): void {
    if (requestedMs === effectiveMs || requestedMs === Infinity) return;
    const isOff = effectiveMs === 0;
    const advice = isOff
      ? "Give the informer resyncMs: without it none of its handlers gets a resync"
      : "Ask for a longer resyncMs, before the informer runs: 1000 is the least, and the period " +
        "of a running informer is fixed";
    const fields = { handler, requestedMs, effectiveMs, advice };
    const message = isOff ? "Resync is off" : "Resync period is raised";
    this.#warn(message, fields, message, Infinity);
  }

  /** Logs a warning unless one with the same id was logged within `spacingMs`. */
  #warn(message: string, fields: LogFields, id: string, spacingMs: number): void {
    const nowMs = this.#clock.now();
    if (nowMs - (this.#warnedMs.get(id) ?? -Infinity) < spacingMs) return;
    this.#warnedMs.set(id, nowMs);
    this.#log.warn(message, fields);
  }

  /** Stops all timers. */
  close(): void {
    this.#log.close();
  }

  #describe(origin: LoggedOrigin<T>): Omit<Failure, "error"> {
    switch (origin.kind) {
      case "handler": {
        const { event, handler } = origin;
        const fields = { handler, event: event.type, key: event.key };
        const advice = "Catch errors in the handler: the event counts as processed";
        return { subject: "Handler", name: handler, fields, advice };
      }
      case "cache":
        return { subject: "Cache update", isLasting: this.#isIncomplete };
      case "metrics":
        return { subject: "Metric" };
      case "end":
      default:
        return { subject: "List and watch", isLasting: true };
    }
  }

  /** Whether an object is skipped or absent from an index until its next state can be used. */
  readonly #isIncomplete = (): boolean => {
    const reason = this.#problem()?.reason;
    return reason === "unusableObject" || reason === "indexFunction";
  };
}

/** The module is loaded here because no program needs it in production. */
async function explain<T>(
  error: TypeError,
  event: InformerEvent<T>,
  report: (reason: unknown) => void,
): Promise<void> {
  let reason: Error = error;
  try {
    const { explainChange } = await inRealTime(import("./changed-object.ts"));
    const message = explainChange(error, event);
    if (message !== undefined) {
      const advice = "Change a copy: mutableCopy(object)";
      reason = new ListwatchError("LW_CACHED_OBJECT_CHANGED", message, { cause: error, advice });
    }
  } catch {
    // Without the module, the error of the engine is reported.
  }
  report(reason);
}
