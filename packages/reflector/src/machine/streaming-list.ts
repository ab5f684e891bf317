import { isExpired, isTooLargeResourceVersion, type WatchEvent } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { findInconsistency } from "./consistency.ts";
import { VeryShortWatchError } from "./errors.ts";
import {
  errorOfEvent,
  isBrokenStream,
  isRefusal,
  isSilent,
  isWorthWaiting,
} from "./failure-kinds.ts";
import { InitialList, InitialListWarning } from "./initial-list.ts";
import { replaceStore } from "./listing.ts";
import type { ReflectorOperation } from "./reflector-options.ts";
import type { RunContext } from "./run-context.ts";
import type { Memory, State, StreamingList } from "./state.ts";
import { delay } from "./waiting.ts";
import { WatchConnection } from "./watch-connection.ts";

/** How the reading of a stream ended. */
type Outcome<T> =
  /** All initial objects arrived; `rest` came behind them. */
  | {
      readonly kind: "complete";
      readonly objects: readonly T[];
      readonly resourceVersion: string;
      readonly rest: readonly WatchEvent<T>[];
    }
  /** The server ended it. */
  | { readonly kind: "closed" }
  /** The server sent an ERROR event. */
  | { readonly kind: "refused"; readonly error: unknown }
  /** Reading failed. */
  | { readonly kind: "broken"; readonly error: unknown };

/** What follows a stream that is not complete. */
type Next =
  /** The same request, at once. */
  | { readonly kind: "again"; readonly memory: Memory; readonly cause?: unknown }
  /** The same request, after a delay. */
  | { readonly kind: "wait"; readonly cause: unknown }
  /** A list; `isRefused`: the server does not stream, and will not the next time. */
  | { readonly kind: "list"; readonly isRefused: boolean; readonly cause?: unknown };

/** Reads an initial list as a stream of events, and hands it to the store in one piece. */
export async function streamList<T extends KubernetesObject>(
  context: RunContext<T>,
  state: StreamingList<T>,
): Promise<State<T>> {
  const { connection } = state;
  if (connection === undefined) return openStream(context, state);
  let outcome: Outcome<T>;
  try {
    outcome = await readStream(context, connection);
  } catch (error) {
    outcome = { kind: "broken", error };
  }
  if (context.signal.aborted) return state;
  if (outcome.kind === "complete") return completeList(context, state, connection, outcome);
  connection.noteAge();
  const next = decide(context, state, connection, outcome);
  connection.close(next.cause);
  return proceed(context, state, next);
}

async function openStream<T>(context: RunContext<T>, state: StreamingList<T>): Promise<State<T>> {
  const { progress, settings } = context;
  const { memory, session } = state;
  try {
    const connection = await WatchConnection.open(
      context,
      {
        resourceVersion: memory.isNewestNeeded ? "" : progress.resourceVersion,
        resourceVersionMatch: "NotOlderThan",
        sendInitialEvents: true,
      },
      { signal: session.signal, silenceMs: settings.list.watchListSilenceMs },
    );
    return { ...state, connection };
  } catch (error) {
    if (context.signal.aborted) return state;
    return proceed(context, state, afterFailure(context, state, error, "openWatch"));
  }
}

/** Reads events until the bookmark that ends the list. */
async function readStream<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
): Promise<Outcome<T>> {
  const list = new InitialList(context);
  const warning = new InitialListWarning(context, connection);
  try {
    for (;;) {
      const batch = await connection.next();
      if (batch === undefined) return { kind: "closed" };
      if (batch.length > 0) warning.noteEvents();
      for (const [index, event] of batch.entries()) {
        if (event.type === "ERROR") return { kind: "refused", error: errorOfEvent(event.object) };
        const resourceVersion = list.take(event, connection);
        if (resourceVersion === undefined) continue;
        const { objects } = list;
        await checkConsistency(context, connection, objects, resourceVersion);
        return { kind: "complete", objects, resourceVersion, rest: batch.slice(index + 1) };
      }
    }
  } finally {
    warning.stop();
  }
}

/** For tests: whether the streamed list is what an ordinary one would have been. */
async function checkConsistency<T extends KubernetesObject>(
  { reports, settings }: RunContext<T>,
  { signal }: WatchConnection<T>,
  objects: readonly T[],
  resourceVersion: string,
): Promise<void> {
  if (!settings.list.checkConsistency) return;
  const { clock, initialTransform: transform, listerWatcher } = settings;
  const copy = { listerWatcher, objects, resourceVersion, transform };
  const inconsistency = await findInconsistency({ ...copy, signal, clock });
  if (inconsistency !== undefined) reports.report(inconsistency, "check", "skip");
}

function completeList<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  connection: WatchConnection<T>,
  { objects, resourceVersion, rest }: Extract<Outcome<T>, { kind: "complete" }>,
): State<T> {
  const memory = { ...state.memory, isNewestNeeded: false };
  const failure = replaceStore(context, objects, {
    resourceVersion,
    listMs: connection.ageMs,
    paginated: false,
    streamed: true,
  });
  if (failure !== undefined) {
    context.reports.report(failure.error, "replace", "list");
    connection.close(failure.error);
    return proceed(context, { ...state, memory }, { kind: "list", isRefused: false });
  }
  connection.handOver(rest);
  state.session.startResync();
  return { kind: "watching", memory, session: state.session, connection };
}

function decide<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  connection: WatchConnection<T>,
  outcome: Exclude<Outcome<T>, { kind: "complete" }>,
): Next {
  const { reports, settings } = context;
  const { memory } = state;
  if (outcome.kind === "closed") {
    if (connection.isVeryShort) {
      const cause = new VeryShortWatchError(settings.name);
      reports.report(cause, "watch", "list");
      return { kind: "list", isRefused: false, cause };
    }
    // The requested time is over and the list never came to its end: a server that ignores it.
    if (connection.isTimedOut) return { kind: "list", isRefused: true };
    return { kind: "again", memory };
  }
  const { error } = outcome;
  if (outcome.kind === "refused" || !isBrokenStream(error)) {
    return afterFailure(context, state, error, "watch");
  }
  const isStreamSilent = isSilent(error);
  const needsList = isStreamSilent || connection.isVeryShort;
  reports.report(error, "watch", needsList ? "list" : "reopen");
  if (needsList) return { kind: "list", isRefused: isStreamSilent, cause: error };
  return { kind: "again", memory, cause: error };
}

/** The request failed, when it was made or by an ERROR event. */
function afterFailure<T>(
  { reports }: RunContext<T>,
  { memory }: StreamingList<T>,
  error: unknown,
  operation: ReflectorOperation,
): Next {
  if (isWorthWaiting(error)) {
    reports.report(error, operation, "reopen");
    return { kind: "wait", cause: error };
  }
  if (isExpired(error) || isTooLargeResourceVersion(error)) {
    reports.report(error, operation, "newest");
    return { kind: "again", memory: { ...memory, isNewestNeeded: true }, cause: error };
  }
  reports.report(error, operation, "list");
  return { kind: "list", isRefused: isRefusal(error), cause: error };
}

function proceed<T>(context: RunContext<T>, state: StreamingList<T>, next: Next): State<T> {
  switch (next.kind) {
    case "again": {
      const again = { ...state, memory: next.memory, connection: undefined };
      return context.delays.takeImmediate() ? again : delay(context, undefined, again);
    }
    case "wait":
      return delay(context, next.cause, { ...state, connection: undefined });
    case "list":
  }
  state.session.close();
  return { kind: "listing", memory: state.memory, isStreamRefused: next.isRefused };
}
