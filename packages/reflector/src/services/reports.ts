import { isStatusError, isTooManyRequests } from "@listwatch/client";
import { isExpired, isStorageStarting } from "@listwatch/client/base";
import {
  FailureLog,
  isPromiseLike,
  SharedFailures,
  type Failure,
  type LogFields,
} from "@listwatch/core-fifo/base";
import { connectionOf } from "../source/http-lister-watcher.ts";
import { connectionCauseOf, isSilent } from "./errors.ts";
import type { ReflectorOptions } from "../options/options.ts";
import type { Settings } from "../options/settings.ts";
import type {
  ReflectorErrorContext,
  ReflectorOperation,
  ReflectorRecovery,
  ReflectorStatus,
  ReflectorTrace,
} from "../options/status.ts";

type FailureStatus = Pick<ReflectorStatus, "attempts" | "failingSinceMs" | "lastFailure">;

/**
 * How often in a row a failure that belongs to the protocol is normal. A server that answers so
 * each time does not work.
 */
const maxNormalInARow = 3;

/** Settings and hooks of the reports. */
type ReportOptions = Pick<Settings<never>, "behaviour" | "clock" | "name"> &
  Pick<ReflectorOptions<never>, "log" | "onError" | "onTrace"> & {
    readonly listerWatcher: object;
    /** Called when the error handler says "stop", or throws. */
    readonly onStop: (reason: unknown) => void;
  };

/**
 * Counts failures and silent watches, calls the user's hooks and logs what they do not take. Lives
 * as long as the reflector, over all runs.
 */
export class FailureReports {
  readonly #options: ReportOptions;
  readonly #log: FailureLog;
  /** Log of failures that belong to the connection; shared with its other reflectors. */
  #shared: SharedFailures | undefined;
  #normalInARow = 0;
  #silentCloses = 0;
  #current: FailureStatus = { attempts: 0, failingSinceMs: undefined, lastFailure: undefined };

  constructor(options: ReportOptions) {
    const { clock, log, name } = options;
    this.#options = options;
    this.#log = new FailureLog({ log, clock, fields: { reflector: name } });
  }

  get current(): FailureStatus {
    return this.#current;
  }

  /**
   * Number of watches in a row that the server ended before the requested time, and without a byte.
   * Such a watch may have missed any change.
   */
  get silentCloses(): number {
    return this.#silentCloses;
  }

  /** Whether there were so many of them that no watch is trusted before data arrives on it. */
  get areWatchesSilent(): boolean {
    return this.#silentCloses >= this.#options.behaviour.maxSilentCloses;
  }

  /** Records that a watch received data or reached its timeout. */
  noteSound(): void {
    this.#silentCloses = 0;
  }

  /** Counts a silent close. Returns whether a relist has to show what was missed. */
  noteSilentClose(): boolean {
    this.#silentCloses += 1;
    return (
      this.areWatchesSilent && this.#silentCloses % this.#options.behaviour.maxSilentCloses === 0
    );
  }

  /** Calls the user's `onError`; the run may be aborted when this returns. */
  report(error: unknown, operation: ReflectorOperation, recovery: ReflectorRecovery): void {
    const { clock, name, onError, onStop } = this.#options;
    const atMs = clock.now();
    let { attempts, failingSinceMs } = this.#current;
    if (recovery !== "skip") {
      attempts += 1;
      failingSinceMs ??= atMs;
    }
    this.#current = { attempts, failingSinceMs, lastFailure: { error, operation, atMs } };
    const context = { reflector: name, operation, recovery, attempts };
    const follow = (answer: unknown): void => {
      if (answer === "log") this.#logFailure(error, context);
      if (answer === "stop") onStop(error);
    };
    try {
      const answer: unknown = onError === undefined ? "log" : onError(error, context);
      whenAnswered(answer, follow, onStop);
    } catch (thrown) {
      onStop(thrown);
    }
  }

  /** Logs that watches last longer than what was asked for. */
  warnOfTimeout(requestedMs: number, effectiveMs: number): void {
    const advice =
      "Leave out watch.minWatchTimeoutMs, or set more: shorter watches are a load on the server";
    this.#log.warn("Watch timeout is raised", { requestedMs, effectiveMs, advice });
  }

  /** Logs that the server sends objects of other shards. */
  warnOfShard(shardSelector: string): void {
    const advice =
      "Its objects are left out, which saves memory only: enable the feature gate " +
      "ShardedListAndWatch on each API server so that they are not sent";
    this.#log.warn("Server does not filter shards", { shardSelector, advice });
  }

  /** Ends an earlier failure, unless the watches deliver nothing: a list does not repair that. */
  noteWorking(): void {
    if (this.#current.attempts === 0 || this.areWatchesSilent) return;
    this.#current = { ...this.#current, attempts: 0, failingSinceMs: undefined };
  }

  /** The server has accepted a watch from where the store is; a list alone is half of the work. */
  noteWatching(): void {
    if (this.areWatchesSilent) return;
    this.#normalInARow = 0;
  }

  /** A watch has lasted, or brought something: what was logged is over. */
  noteRecovery(): void {
    if (this.areWatchesSilent) return;
    this.#log.recover(listAndWatch);
    this.#shared?.recover(this);
  }

  /** The run has ended: no timer is left. */
  close(): void {
    this.#log.close();
    this.#shared?.leave(this);
    this.#shared = undefined;
  }

  /** Calls the user's `onTrace`. Timers do so too, where nothing could catch what the hook throws. */
  trace(trace: ReflectorTrace): void {
    try {
      this.#options.onTrace?.(trace);
    } catch (error) {
      this.report(error, "trace", "skip");
    }
  }

  #logFailure(error: unknown, context: ReflectorErrorContext): void {
    if (isNormal(error, context) && ++this.#normalInARow <= maxNormalInARow) return;
    const { operation, recovery } = context;
    if (recovery === "list" && isSilent(error)) {
      // One line is enough: the ordinary list that follows is logged if it fails.
      this.#log.warn("Streamed list is given up", {
        operation,
        cause: error,
        advice: streamAdvice,
      });
      return;
    }
    const failure = { ...subjectOf(operation, recovery), error };
    const fields = { operation };
    if (!this.#share(failure, fields)) this.#log.report({ ...failure, fields });
  }

  /** Logs a failure of the connection once for all its reflectors. Returns whether it is one. */
  #share(failure: Failure, fields: LogFields): boolean {
    const { clock, listerWatcher, log, name } = this.#options;
    const kind = failure.subject === listAndWatch ? connectionCauseOf(failure.error) : undefined;
    const connection = connectionOf(listerWatcher);
    if (kind === undefined || connection === undefined) {
      if (failure.subject === listAndWatch) this.#shared?.recover(this);
      return false;
    }
    this.#shared ??= SharedFailures.of(connection, { log, clock });
    this.#shared.report(this, { ...failure, kind, fields: { reflector: name, ...fields } });
    return true;
  }
}

const streamAdvice =
  "The server, or a proxy in front, does not end streamed lists: set list.watchList to false";

const listAndWatch = "List and watch";

/** Follows an answer; a hook without types may give it later, and the run goes on meanwhile. */
function whenAnswered(
  answer: unknown,
  follow: (answer: unknown) => void,
  fail: (reason: unknown) => void,
): void {
  if (isPromiseLike(answer)) answer.then(follow, fail);
  else follow(answer);
}

/** Subjects of failures without a consequence for the lists and watches. */
const subjects: { readonly [Operation in ReflectorOperation]?: string } = {
  metrics: "Metric",
  trace: "Trace hook",
  check: "Consistency check",
};

function subjectOf(
  operation: ReflectorOperation,
  recovery: ReflectorRecovery,
): Pick<Failure, "isLasting" | "subject"> {
  if (recovery === "skip") return { subject: subjects[operation] ?? "Use of an event" };
  return { subject: listAndWatch, isLasting: true };
}

/**
 * Belongs to the protocol: the history has expired, the server does not stream initial lists, or
 * prepares a resource whose definition is new. The request that follows either works or fails
 * itself.
 */
function isNormal(
  error: unknown,
  { operation, recovery }: Pick<ReflectorErrorContext, "operation" | "recovery">,
): boolean {
  if (isTooManyRequests(error) && isStatusError(error) && isStorageStarting(error.status)) {
    return true;
  }
  if (recovery === "newest" || recovery === "list") return isStatusError(error);
  return recovery === "relist" && operation !== "list" && isExpired(error);
}
