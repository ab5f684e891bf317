import type { Clock } from "@listwatch/core-fifo";
import type {
  ReflectorOperation,
  ReflectorOptions,
  ReflectorRecovery,
} from "./reflector-options.ts";
import type { ReflectorTrace } from "./trace.ts";

/** The last failure of a reflector. */
export interface ReflectorFailure {
  readonly error: unknown;
  readonly operation: ReflectorOperation;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** Counts failures and calls the user's hooks. Lives as long as the reflector, over all its runs. */
export class FailureReports {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #onError: ReflectorOptions<never>["onError"];
  readonly #onTrace: ReflectorOptions<never>["onTrace"];
  #attempts = 0;
  #failingSinceMs: number | undefined;
  #lastFailure: ReflectorFailure | undefined;
  #stop: ((reason: unknown) => void) | undefined;

  constructor(
    name: string,
    clock: Clock,
    hooks: Pick<ReflectorOptions<never>, "onError" | "onTrace">,
  ) {
    this.#name = name;
    this.#clock = clock;
    this.#onError = hooks.onError;
    this.#onTrace = hooks.onTrace;
  }

  /** Failures since the reflector last worked. */
  get attempts(): number {
    return this.#attempts;
  }

  get failingSinceMs(): number | undefined {
    return this.#failingSinceMs;
  }

  get lastFailure(): ReflectorFailure | undefined {
    return this.#lastFailure;
  }

  /** `stop` is called when the error handler says so; nothing calls it after `endRun`. */
  beginRun(stop: (reason: unknown) => void): void {
    this.#stop = stop;
  }

  endRun(): void {
    this.#stop = undefined;
  }

  /** Calls the user's `onError`; the run may be aborted when this returns. */
  report(error: unknown, operation: ReflectorOperation, recovery: ReflectorRecovery): void {
    const now = this.#clock.now();
    this.#lastFailure = { error, operation, atMs: now };
    if (recovery !== "skip") {
      this.#attempts += 1;
      this.#failingSinceMs ??= now;
    }
    const context = { reflector: this.#name, operation, recovery, attempts: this.#attempts };
    let reason = error;
    try {
      if (this.#onError?.(error, context) !== "stop") return;
    } catch (thrown) {
      reason = thrown;
    }
    this.#stop?.(reason);
  }

  /** What failed before is over. */
  noteWorking(): void {
    this.#attempts = 0;
    this.#failingSinceMs = undefined;
  }

  /** Calls the user's `onTrace`. Timers do so too, where nothing could catch what the hook throws. */
  trace(trace: ReflectorTrace): void {
    try {
      this.#onTrace?.(trace);
    } catch (error) {
      this.report(error, "trace", "skip");
    }
  }
}
