import type { Clock } from "./clock.ts";
import { FailureLog, type Failure } from "./failure-log.ts";
import type { Log, LogFields } from "./log.ts";

/** Options of {@link SharedFailures.of}. */
export interface SharedFailuresOptions {
  readonly log: Log | undefined;
  readonly clock: Clock;
}

/** A failure that others on the same connection may have, too. */
export interface SharedFailure extends Failure {
  /** Identifies the cause, instead of the kind of the error. */
  readonly kind: string;
}

/** Logs in use, by what their sources share. */
const logs = new WeakMap<object, Set<SharedFailures>>();

/**
 * Failures of many sources with one cause, such as informers whose server cannot be reached. They
 * are logged as one: the first failure, then a line a minute with the number of sources, and one
 * line when all of them work again.
 */
export class SharedFailures {
  readonly #shared: object;
  readonly #options: SharedFailuresOptions;
  readonly #log: FailureLog;
  readonly #members = new Set<object>();
  /** Sources that fail, with the subjects of their failures. */
  readonly #failing = new Map<object, string>();
  /** Sources that have failed since all of them worked. */
  readonly #affected = new Set<object>();

  private constructor(shared: object, options: SharedFailuresOptions) {
    this.#shared = shared;
    this.#options = options;
    this.#log = new FailureLog(options);
  }

  /** Returns the failures of all sources that share an object, a log and a clock. */
  static of(shared: object, options: SharedFailuresOptions): SharedFailures {
    const known = logs.get(shared) ?? new Set();
    logs.set(shared, known);
    for (const each of known) {
      const { clock, log } = each.#options;
      if (log === options.log && clock === options.clock) return each;
    }
    const created = new SharedFailures(shared, options);
    known.add(created);
    return created;
  }

  /** Logs or counts a failure of a source. */
  report(source: object, { fields = {}, ...failure }: SharedFailure): void {
    if (this.#failing.size === 0) this.#affected.clear();
    this.#members.add(source);
    this.#failing.set(source, failure.subject);
    this.#affected.add(source);
    const own = typeof fields === "function" ? fields() : fields;
    this.#log.report({ ...failure, fields: () => this.#describe(own), isLasting: true });
  }

  /** The source works again, or fails in another way. */
  recover(source: object): void {
    const subject = this.#failing.get(source);
    if (subject === undefined) return;
    this.#failing.delete(source);
    if (this.#failing.size === 0) this.#log.recover(subject);
  }

  /** The source has ended: it neither fails nor works. */
  leave(source: object): void {
    this.#members.delete(source);
    if (this.#members.size > 0) return this.recover(source);
    this.#failing.clear();
    this.#log.close();
    logs.get(this.#shared)?.delete(this);
  }

  #describe(own: LogFields): LogFields {
    const { size } = this.#affected;
    return size > 1 ? { sources: size } : own;
  }
}
