import type { Clock } from "@listwatch/core-fifo";
import { waitForCacheSync, type HandlerRegistration } from "@listwatch/shared-informer";
import type { Failures } from "../lifecycle/failures.ts";
import { createStateError } from "./errors.ts";

/** The members of a source that explain why a wait for it lasts. */
export interface AwaitedSource {
  readonly name?: string | undefined;
  readonly phase?: string | undefined;
  status?(): { readonly problem?: unknown };
}

/** Arguments of {@link waitForSources}. */
interface Wait {
  readonly controller: string;
  readonly sources: readonly AwaitedSource[];
  /** Registrations of the controller's handlers, one for each source. */
  readonly registrations: readonly HandlerRegistration[];
  readonly clock: Clock;
  readonly failures: Failures;
}

/** Time after which an informer that was not started is reported. */
const startMs = 10_000;

const subject = "The start of the controller";

/**
 * Waits until all initial lists are in the queue. Informers that were not started are logged after
 * 10 s. A stop during the wait logs what was missing, unless it simply came early.
 *
 * @throws {NotSyncedError} on abort, or if an informer ends before
 */
export async function waitForSources(wait: Wait, stop: AbortSignal): Promise<void> {
  const { clock, controller, failures, registrations, sources } = wait;
  const beganMs = clock.now();
  const nameUnstarted = (): void => {
    const names = sources.filter(isUnstarted).map(({ name = "an informer" }) => name);
    if (names.length === 0) return;
    const error = createStateError(
      `Cannot start ${controller}: expected its informers to run, got ${names.join(", ")} not started`,
    );
    const advice = "Call start() of the factory, or run() of each informer";
    failures.report({ subject, error, advice, isLasting: true }, undefined);
  };
  const timer = clock.setTimeout(nameUnstarted, startMs);
  try {
    await waitForCacheSync(registrations, { signal: stop });
    failures.recover(subject);
  } catch (error) {
    const isEarly = clock.now() - beganMs < startMs;
    const isTroubled = sources.some((source) => isUnstarted(source) || hasProblem(source));
    if (stop.aborted && (isTroubled || !isEarly)) failures.report({ subject, error }, undefined);
    throw error;
  } finally {
    timer.cancel();
  }
}

function isUnstarted({ phase }: AwaitedSource): boolean {
  return phase === "created";
}

function hasProblem(source: AwaitedSource): boolean {
  return source.status?.().problem !== undefined;
}
