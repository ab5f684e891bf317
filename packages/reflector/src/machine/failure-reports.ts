import type {
  ReflectorOperation,
  ReflectorOptions,
  ReflectorRecovery,
} from "./reflector-options.ts";
import type { ReflectorStatus } from "./reflector-status.ts";
import type { Settings } from "./settings.ts";
import type { ReflectorTrace } from "./trace.ts";

type FailureStatus = Pick<ReflectorStatus, "attempts" | "failingSinceMs" | "lastFailure">;

/** What the reports call. */
type Hooks = Pick<ReflectorOptions<never>, "onError" | "onTrace"> & {
  /** Called when the error handler says "stop", or throws. */
  readonly onStop: (reason: unknown) => void;
};

/** Counts failures and calls the user's hooks. Lives as long as the reflector, over all runs. */
export class FailureReports {
  readonly #settings: Pick<Settings<never>, "clock" | "name">;
  readonly #hooks: Hooks;
  #current: FailureStatus = { attempts: 0, failingSinceMs: undefined, lastFailure: undefined };

  constructor(settings: Pick<Settings<never>, "clock" | "name">, hooks: Hooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  get current(): FailureStatus {
    return this.#current;
  }

  /** Calls the user's `onError`; the run may be aborted when this returns. */
  report(error: unknown, operation: ReflectorOperation, recovery: ReflectorRecovery): void {
    const { clock, name } = this.#settings;
    const atMs = clock.now();
    let { attempts, failingSinceMs } = this.#current;
    if (recovery !== "skip") {
      attempts += 1;
      failingSinceMs ??= atMs;
    }
    this.#current = { attempts, failingSinceMs, lastFailure: { error, operation, atMs } };
    let reason = error;
    try {
      const context = { reflector: name, operation, recovery, attempts };
      if (this.#hooks.onError?.(error, context) !== "stop") return;
    } catch (thrown) {
      reason = thrown;
    }
    this.#hooks.onStop(reason);
  }

  /** What failed before is over. */
  noteWorking(): void {
    if (this.#current.attempts === 0) return;
    this.#current = { ...this.#current, attempts: 0, failingSinceMs: undefined };
  }

  /** Calls the user's `onTrace`. Timers do so too, where nothing could catch what the hook throws. */
  trace(trace: ReflectorTrace): void {
    try {
      this.#hooks.onTrace?.(trace);
    } catch (error) {
      this.report(error, "trace", "skip");
    }
  }
}
