import { systemClock, type Clock, type Timer } from "./clock.ts";
import { adviceOf, failureKindOf } from "./errors.ts";
import { consoleLog, guardLog, silentLog, type Log, type LogFields } from "./log.ts";

/** How often a failure that goes on is logged, in milliseconds. */
const repeatMs = 60_000;

/** Subjects of one log; what fails beyond is one more, {@link otherSubject}. */
const maxSubjects = 32;
const otherSubject = "Something else";

/** Causes of one subject that get a line of their own while it goes on failing. */
const maxKinds = 8;

/** Options of a {@link FailureLog}. */
export interface FailureLogOptions {
  /** Where the lines go; with `silentLog` nothing is kept and no timer started. @default consoleLog */
  readonly log?: Log | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** In each line: whose failures they are, such as `{ informer: "v1/pods" }`. */
  readonly fields?: LogFields | undefined;
}

/** A failure to be logged. */
export interface Failure {
  /** Failed operation; a constant noun, with which the messages begin: "List and watch". */
  readonly subject: string;
  /** Which of several of this subject, such as the name of a handler. @default "" */
  readonly name?: string | undefined;
  readonly error: unknown;
  /** Next step for the reader. @default the advice of the error */
  readonly advice?: string | undefined;
  /** Further fields of the lines, such as the key of an object. */
  readonly fields?: LogFields | undefined;
  /**
   * Whether it goes on until {@link FailureLog.recover} is called, or as long as the function
   * returns true, which is called each minute. Otherwise it is over when a minute has passed
   * without another.
   *
   * @default false
   */
  readonly isLasting?: boolean | (() => boolean) | undefined;
}

/**
 * Says what fails without flooding: the first failure of each cause at once, with cause and advice;
 * then one line a minute as long as the subject goes on failing; and one when that is over. All are
 * warnings, so that who reads the beginning reads the end.
 *
 * A subject that fails again within a minute of its end has its next line when that minute is over,
 * and ends with a minute without a failure: however it wavers, there is one line a minute. A cause
 * is a subject and a kind of error (code, reason, class); texts, which hold times and numbers, do
 * not count. Memory is bounded: 32 subjects, 8 causes of each.
 *
 * It never throws, whatever the log does. Its timers end with {@link FailureLog.close}.
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

  /** Logs a failure, or counts it. */
  report(failure: Failure): void {
    if (this.#log === undefined) return;
    const id = idOf(failure.subject, failure.name);
    const known = this.#episodes.get(id);
    if (known !== undefined) known.fail(failure);
    else if (this.#episodes.size < maxSubjects) this.#begin(id, failure, this.#log);
    else this.#reportOther(failure, this.#log);
  }

  /** Ends what lasts: the subject works again. Does nothing if it did not fail. */
  recover(subject: string, name?: string): void {
    this.#episodes.get(idOf(subject, name))?.recover();
  }

  /** Logs something else that the program should know, without a limit. */
  warn(message: string, fields: LogFields): void {
    this.#log?.warn(message, { ...this.#fields, ...fields });
  }

  /** Forgets all failures, without a line; no timer is left. */
  close(): void {
    for (const episode of this.#episodes.values()) episode.close();
    this.#episodes.clear();
  }

  /** Room for one more is kept for this. */
  #reportOther(failure: Failure, log: Log): void {
    const other = { ...failure, subject: otherSubject, name: undefined, isLasting: false };
    const known = this.#episodes.get(otherSubject);
    if (known === undefined) this.#begin(otherSubject, other, log);
    else known.fail(other);
  }

  #begin(id: string, failure: Failure, log: Log): void {
    const episode = new Episode({
      log,
      clock: this.#clock,
      fields: this.#fields,
      onEnd: () => this.#episodes.delete(id),
    });
    this.#episodes.set(id, episode);
    episode.fail(failure);
  }
}

function idOf(subject: string, name: string | undefined): string {
  return name === undefined ? subject : `${subject} ${name}`;
}

/** What an {@link Episode} needs. */
interface EpisodeParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly fields: LogFields;
  /** Called when a minute has passed since it was over. */
  readonly onEnd: () => void;
}

/** The failures of one subject, from the first one until a minute after its end was logged. */
class Episode {
  readonly #parts: EpisodeParts;
  readonly #kinds = new Set<string>();
  #last: Failure | undefined;
  #sinceMs = 0;
  /** Failures since then. */
  #failures = 0;
  #hasFailedSinceLine = false;
  #hasRecovered = false;
  /** Whether the last line says that it is over. */
  #isOver = false;
  /** Whether an earlier line did. */
  #hasBeenOver = false;
  /** One minute from the last line. */
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
    const kind = failureKindOf(failure.error);
    if (this.#kinds.has(kind) || this.#kinds.size >= maxKinds) return;
    this.#kinds.add(kind);
    this.#write("failed", causeOf(failure));
  }

  recover(): void {
    if (this.#failures === 0) return;
    this.#hasRecovered = true;
    // Of one that has wavered it is said after a minute without a failure.
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
    log.warn(`${this.#last?.subject} ${words}`, { ...common, ...this.#last?.fields, ...fields });
  }
}

function causeOf(failure: Failure): LogFields {
  const { error } = failure;
  const advice = failure.advice ?? adviceOf(error);
  return advice === undefined ? { cause: error } : { cause: error, advice };
}
