import type { Clock } from "@listwatch/core-fifo";
import { waitForCacheSync, type HandlerRegistration } from "@listwatch/shared-informer";
import type { Failures } from "../lifecycle/failures.ts";
import { createStateError } from "./errors.ts";

/** What a wait looks at to say why it lasts. */
export interface AwaitedSource {
  readonly name?: string | undefined;
  readonly phase?: string | undefined;
  status?(): { readonly problem?: unknown };
}

/** What {@link waitForSources} needs. */
interface Wait {
  readonly controller: string;
  readonly sources: readonly AwaitedSource[];
  /** Of the controller's handlers, one for each source. */
  readonly registrations: readonly HandlerRegistration[];
  readonly clock: Clock;
  readonly failures: Failures;
}

/** After so long, an informer that was not started has been forgotten. */
const startMs = 10_000;

const subject = "The start of the controller";

/**
 * Waits until all initial lists are in the queue. Informers that were not started are named after
 * 10 s, and a stop before the end says what was missing if that was not simply early.
 *
 * @throws {NotSyncedError} on abort, or when an informer ends before
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
