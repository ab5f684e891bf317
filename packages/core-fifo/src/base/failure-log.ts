import { systemClock, type Clock, type Timer } from "./clock.ts";
import { adviceOf, failureKindOf } from "./errors.ts";
import { consoleLog, guardLog, silentLog, type Log, type LogFields } from "./log.ts";

/** Time between two lines about a lasting failure, in milliseconds. */
const repeatMs = 60_000;

/** Maximum number of subjects per log. Further ones share one more, `otherSubject`. */
const maxSubjects = 32;
const otherSubject = "Something else";

/** Maximum number of causes of one subject that are logged at once. */
const maxKinds = 8;

/** Options of a {@link FailureLog}. */
export interface FailureLogOptions {
  /** Where lines go. With `silentLog` nothing is stored and no timer is started. @default consoleLog */
  readonly log?: Log | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** Fields of each line that identify the source, such as `{ informer: "v1/pods" }`. */
  readonly fields?: LogFields | undefined;
}

/** A failure to be logged. */
export interface Failure {
  /** Failed operation; a constant noun, with which the messages begin: "List and watch". */
  readonly subject: string;
  /** Distinguishes several failures of this subject, such as the name of a handler. @default "" */
  readonly name?: string | undefined;
  readonly error: unknown;
  /** Next step for the reader. @default the advice of the error */
  readonly advice?: string | undefined;
  /** Identifies the cause. @default the kind of the error */
  readonly kind?: string | undefined;
  /** Further fields of the lines, such as the key of an object; a function is called for each line. */
  readonly fields?: LogFields | (() => LogFields) | undefined;
  /**
   * Whether the failure lasts until {@link FailureLog.recover} is called, or while this function,
   * called each minute, returns true. Otherwise it is over after a minute without another failure.
   *
   * @default false
   */
  readonly isLasting?: boolean | (() => boolean) | undefined;
}

/**
 * Logs failures without flooding. The first failure of each cause is logged at once, with cause and
 * advice, then one line a minute while the subject keeps failing, and one line when it recovers.
 * All lines are warnings, so a recovery is visible wherever the failure is.
 *
 * A subject that fails again within a minute of its recovery is logged when that minute is over,
 * and recovers after a minute without a failure. A flapping subject therefore has one line a
 * minute. A cause is a subject with a kind of error (code, reason, class). Messages, which contain
 * times and numbers, do not count. Memory is bounded: 32 subjects with 8 causes each.
 *
 * It never throws, even if the log does. {@link FailureLog.close} ends its timers.
 */
export class FailureLog {
  readonly #log: Log | undefined;
  readonly #clock: Clock;
  readonly #fields: LogFields;
  readonly #episodes = new Map<string, Episode>();

  constructor({ log = consoleLog, clock = systemClock, fields = {} }: FailureLogOptions = {}) {
    this.#log = log === silentLog ? undefined : guardLog(log);
    this.#clock = clock;
    this.#fields = fields;
  }

  /** Logs or counts a failure. */
  report(failure: Failure): void {
    if (this.#log === undefined) return;
    const id = idOf(failure.subject, failure.name);
    if (this.#episodes.has(id) || this.#episodes.size < maxSubjects) {
      this.#episode(id, this.#log).fail(failure);
      return;
    }
    const other = { ...failure, subject: otherSubject, isLasting: false };
    this.#episode(otherSubject, this.#log).fail(other);
  }

  /** Ends a lasting failure: the subject works again. Does nothing if it did not fail. */
  recover(subject: string, name?: string): void {
    this.#episodes.get(idOf(subject, name))?.recover();
  }

  /** Logs another warning, without a limit. */
  warn(message: string, fields: LogFields): void {
    this.#log?.warn(message, { ...this.#fields, ...fields });
  }

  /** Drops all failures without a line, and ends all timers. */
  close(): void {
    for (const episode of this.#episodes.values()) episode.close();
    this.#episodes.clear();
  }

  #episode(id: string, log: Log): Episode {
    let episode = this.#episodes.get(id);
    if (episode === undefined) {
      const onEnd = (): void => void this.#episodes.delete(id);
      episode = new Episode({ log, clock: this.#clock, fields: this.#fields, onEnd });
      this.#episodes.set(id, episode);
    }
    return episode;
  }
}

function idOf(subject: string, name: string | undefined): string {
  return name === undefined ? subject : `${subject} ${name}`;
}

/** Dependencies of an {@link Episode}. */
interface EpisodeParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly fields: LogFields;
  /** Called a minute after the failure was over. */
  readonly onEnd: () => void;
}

/** Failures of one subject, from the first one until a minute after its end was logged. */
class Episode {
  readonly #parts: EpisodeParts;
  readonly #kinds = new Set<string>();
  #last: Failure | undefined;
  #sinceMs = 0;
  /** Failures since `#sinceMs`. */
  #failures = 0;
  #hasFailedSinceLine = false;
  #hasRecovered = false;
  /** Whether the last line reported the end. */
  #isOver = false;
  /** Whether an earlier line reported the end. */
  #hasBeenOver = false;
  /** Fires a minute after the last line. */
  #timer: Timer | undefined;

  constructor(parts: EpisodeParts) {
    this.#parts = parts;
  }

  fail(failure: Failure): void {
    if (this.#failures === 0) this.#sinceMs = this.#parts.clock.now();
    this.#last = failure;
    this.#failures += 1;
    this.#hasFailedSinceLine = true;
    this.#hasRecovered = false;
    const kind = failure.kind ?? failureKindOf(failure.error);
    if (this.#kinds.has(kind) || this.#kinds.size >= maxKinds) return;
    this.#kinds.add(kind);
    this.#write("failed", causeOf(failure));
  }

  recover(): void {
    if (this.#failures === 0) return;
    this.#hasRecovered = true;
    // A flapping failure is only reported as recovered after a quiet minute.
    if (!this.#hasBeenOver) this.#finish("works again");
  }

  close(): void {
    this.#timer?.cancel();
  }

  readonly #onMinute = (): void => {
    const last = this.#last;
    if (this.#failures === 0 || last === undefined) this.#parts.onEnd();
    else if (this.#hasFailedSinceLine) this.#repeat(last);
    else if (this.#hasRecovered) this.#finish("works again");
    else this.#goOn(last);
  };

  #goOn(last: Failure): void {
    const { isLasting = false } = last;
    if (isLasting === false) this.#finish("has not failed for a minute");
    else if (isLasting === true || isLasting()) this.#repeat(last);
    else this.#finish("works again");
  }

  #repeat(last: Failure): void {
    const words = this.#isOver || this.#hasRecovered ? "failed again" : "still fails";
    this.#write(words, { ...causeOf(last), ...this.#count() });
  }

  #finish(words: string): void {
    this.#write(words, this.#count());
    this.#isOver = true;
    this.#hasBeenOver = true;
    this.#failures = 0;
  }

  #count(): LogFields {
    const forMs = this.#parts.clock.now() - this.#sinceMs;
    return { failures: this.#failures, forSeconds: Math.round(forMs / 1000) };
  }

  #write(words: string, fields: LogFields): void {
    const { clock, fields: common, log } = this.#parts;
    this.#isOver = false;
    this.#hasFailedSinceLine = false;
    this.#timer?.cancel();
    this.#timer = clock.setTimeout(this.#onMinute, repeatMs);
    const last = this.#last?.fields;
    const own = typeof last === "function" ? last() : last;
    log.warn(`${this.#last?.subject} ${words}`, { ...common, ...own, ...fields });
  }
}

function causeOf(failure: Failure): LogFields {
  const { error } = failure;
  const advice = failure.advice ?? adviceOf(error);
  return advice === undefined ? { cause: error } : { cause: error, advice };
}
