import { isExpired, isTooManyRequests, type WatchEvent } from "@listwatch/client";
import { resourceVersionOf, type KubernetesObject } from "@listwatch/core-fifo";
import { untilAborted } from "@listwatch/core-fifo/base";
import { UnexpectedObjectError, VeryShortWatchError } from "./errors.ts";
import {
  errorOfEvent,
  isBrokenStream,
  isServerFailure,
  isSilent,
  isWorthWaiting,
} from "./failure-kinds.ts";
import type { RunContext } from "./run-context.ts";
import type { Memory, State, Watching } from "./state.ts";
import { delay, relist } from "./waiting.ts";
import { WatchConnection } from "./watch-connection.ts";

/** How the reading of a connection ended. */
type Outcome =
  /** The server closed it. */
  | { readonly kind: "closed" }
  /** Reading failed, or the server sent an ERROR event. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** The store refused an event. */
  | { readonly kind: "refusedByStore"; readonly error: unknown };

/** What follows. */
type Next =
  /** The same request, at once. */
  | { readonly kind: "reopen" }
  /** The same request, after a delay. */
  | { readonly kind: "wait"; readonly cause: unknown }
  /** A delay and a new list. */
  | { readonly kind: "relist"; readonly memory: Memory; readonly cause: unknown };

/** Opens a connection, or follows the changes on the open one until it ends. */
export async function watch<T extends KubernetesObject>(
  context: RunContext<T>,
  state: Watching<T>,
): Promise<State<T>> {
  const { connection, memory, session } = state;
  if (session.failure !== undefined) {
    const cause = session.failure.error;
    connection?.noteAge();
    context.reports.report(cause, "resync", "relist");
    connection?.close(cause);
    return proceed(context, state, { kind: "relist", memory, cause });
  }
  if (connection === undefined) return openWatch(context, state);
  let outcome: Outcome;
  try {
    outcome = await readEvents(context, connection, session.signal);
  } catch (error) {
    outcome = { kind: "failed", error };
  }
  // The run has ended, or a resync has failed: the next step closes the connection.
  if (session.signal.aborted) return state;
  connection.noteAge();
  const next = decide(context, state, connection, outcome);
  connection.close(outcome.kind === "closed" ? undefined : outcome.error);
  return proceed(context, state, next);
}

async function openWatch<T>(context: RunContext<T>, state: Watching<T>): Promise<State<T>> {
  const { progress, reports, settings } = context;
  const { signal } = state.session;
  const { resourceVersion } = progress;
  const { silenceMs } = settings.watch;
  try {
    const connection = await WatchConnection.open(
      context,
      { resourceVersion },
      { signal, silenceMs },
    );
    return { ...state, connection };
  } catch (error) {
    if (signal.aborted) return state;
    const isWaiting = isWorthWaiting(error);
    reports.report(error, "openWatch", isWaiting ? "reopen" : "relist");
    if (isWaiting) return proceed(context, state, { kind: "wait", cause: error });
    return proceed(context, state, { kind: "relist", memory: state.memory, cause: error });
  }
}

async function readEvents<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { store } = context.settings;
  for (;;) {
    const room = store.waitForCapacity?.(connection.signal);
    if (room !== undefined) await untilAborted(room, connection.signal);
    const batch = await connection.next();
    if (batch === undefined) return { kind: "closed" };
    const before = connection.events;
    for (const event of batch) {
      if (signal.aborted) return { kind: "closed" };
      if (event.type === "ERROR") return { kind: "failed", error: errorOfEvent(event.object) };
      const refusal = applyEvent(context, connection, event);
      if (refusal !== undefined) return refusal;
    }
    if (connection.events > before) {
      context.progress.noteEvents();
      context.reports.noteWorking();
    }
  }
}

function applyEvent<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
  event: Exclude<WatchEvent<T>, { type: "ERROR" }>,
): Outcome | undefined {
  const { progress, reports, settings } = context;
  const unexpected = settings.typeCheck.check(event.object);
  if (unexpected !== undefined) {
    reports.report(unexpected, "watch", "skip");
    return undefined;
  }
  const resourceVersion = resourceVersionOf(event.object) ?? "";
  try {
    writeEvent(context, event, resourceVersion);
  } catch (error) {
    const recovery = settings.watch.storeFailure;
    reports.report(error, "store", recovery);
    if (recovery === "relist") return { kind: "refusedByStore", error };
  }
  if (connection.countEvent(event.type)) {
    progress.reach(resourceVersion);
    settings.store.updateResourceVersion?.(resourceVersion);
  }
  return undefined;
}

function writeEvent<T extends KubernetesObject>(
  { progress, reports, settings }: RunContext<T>,
  event: Exclude<WatchEvent<T>, { type: "ERROR" }>,
  resourceVersion: string,
): void {
  const { store } = settings;
  switch (event.type) {
    case "ADDED":
      store.add(event.object);
      break;
    case "MODIFIED":
      store.update(event.object);
      break;
    case "DELETED":
      store.delete(event.object);
      break;
    case "BOOKMARK":
      progress.noteBookmark();
      store.bookmark?.(resourceVersion);
      break;
    default:
      // A type of a later version of the API: the resourceVersion advances, nothing else happens.
      reports.report(new UnexpectedObjectError("an event of a known type", event), "watch", "skip");
  }
}

/** client-go `watch` and `handleAnyWatch`, tools/cache/reflector.go. */
function decide<T>(
  context: RunContext<T>,
  state: Watching<T>,
  connection: WatchConnection<T>,
  outcome: Outcome,
): Next {
  const { delays, progress, reports } = context;
  const { memory, session } = state;
  if (outcome.kind === "closed") return afterClose(context, state, connection, undefined);
  const { error: cause } = outcome;
  // Reported when it happened.
  if (outcome.kind === "refusedByStore") return { kind: "relist", memory, cause };
  if (isBrokenStream(cause)) return afterClose(context, state, connection, cause);
  if (isExpired(cause)) {
    reports.report(cause, "watch", "relist");
    return {
      kind: "relist",
      memory: rememberExpired(context, memory, progress.resourceVersion),
      cause,
    };
  }
  if (isTooManyRequests(cause)) {
    reports.report(cause, "watch", "reopen");
    return { kind: "wait", cause };
  }
  const isRetried = isServerFailure(cause) && session.internalErrors.shouldRetry();
  reports.report(cause, "watch", isRetried ? "reopen" : "relist");
  if (!isRetried) return { kind: "relist", memory, cause };
  return delays.takeImmediate() ? { kind: "reopen" } : { kind: "wait", cause };
}

/** Closed by the server, broken on the way, or given up as silent. */
function afterClose<T>(
  { delays, reports, settings }: RunContext<T>,
  { memory }: Watching<T>,
  connection: WatchConnection<T>,
  error: unknown,
): Next {
  if (connection.isVeryShort) {
    const cause = error ?? new VeryShortWatchError(settings.name);
    reports.report(cause, "watch", "relist");
    return { kind: "relist", memory, cause };
  }
  // Silence is normal where nothing happens at all. If the connection is dead, the next request
  // shows it.
  if (error !== undefined && !isSilent(error)) reports.report(error, "watch", "reopen");
  // What lasted may be requested again at once; what did not, only a few times: no request storm.
  const isImmediate = connection.hasLasted || delays.takeImmediate();
  return isImmediate ? { kind: "reopen" } : { kind: "wait", cause: error };
}

/**
 * The server has no history from here on. A list with a limit shows exactly the state that it
 * names, as long as the storage has it, and not a newer one: when that led to this very state
 * again, the next list must be the newest.
 */
function rememberExpired<T>(
  { settings }: RunContext<T>,
  memory: Memory,
  resourceVersion: string,
): Memory {
  const hasPages = settings.list.pageSize > 0 || memory.serverPaginates;
  const isNewestNeeded =
    memory.isNewestNeeded || (hasPages && memory.expiredAt === resourceVersion);
  return { ...memory, isNewestNeeded, expiredAt: resourceVersion };
}

function proceed<T>(context: RunContext<T>, state: Watching<T>, next: Next): State<T> {
  switch (next.kind) {
    case "reopen":
      return { ...state, connection: undefined };
    case "wait":
      return delay(context, next.cause, { ...state, connection: undefined });
    case "relist":
  }
  state.session.close();
  return relist(context, next.memory, next.cause);
}
