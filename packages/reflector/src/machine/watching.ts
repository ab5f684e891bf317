import { isExpired, isTooManyRequests, type WatchEvent } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { untilAborted, resourceVersionOf } from "@listwatch/core-fifo/base";
import { UnexpectedObjectError, VeryShortWatchError } from "./errors.ts";
import {
  errorOfEvent,
  isBrokenStream,
  isServerFailure,
  isSilent,
  isWorthWaiting,
} from "./failure-kinds.ts";
import type { RunContext } from "./run-context.ts";
import { relist, waitFor, type Memory, type State, type Watching } from "./state.ts";
import { WatchConnection } from "./watch-connection.ts";

/** How the reading of a connection ended. */
type End =
  /** The server closed it. */
  | { readonly kind: "closed"; readonly error?: undefined }
  /** Reading failed, the server sent an ERROR event, or the store refused an event. */
  | { readonly kind: "failed" | "refusedByStore"; readonly error: unknown };

/** Opens a connection, or follows the changes on the open one until it ends. */
export async function watch<T extends KubernetesObject>(
  context: RunContext<T>,
  state: Watching<T>,
): Promise<State<T>> {
  const { connection, session } = state;
  if (session.failure !== undefined) return endByResync(context, state, session.failure.error);
  if (connection === undefined) return openWatch(context, state);
  const end = await readEvents(context, connection, session.signal).catch(
    (error: unknown): End => ({ kind: "failed", error }),
  );
  // The run has ended, or a resync has failed: the next step closes the connection.
  if (session.signal.aborted) return state;
  connection.noteAge();
  const next = decide(context, state, connection, end);
  connection.close(end.error);
  return next;
}

async function openWatch<T>(context: RunContext<T>, state: Watching<T>): Promise<State<T>> {
  const { progress, reports, settings } = context;
  const { signal } = state.session;
  const { resourceVersion } = progress.current;
  const limits = { signal, silenceMs: settings.watch.silenceMs };
  try {
    const connection = await WatchConnection.open(context, { resourceVersion }, limits);
    return { ...state, connection };
  } catch (error) {
    if (signal.aborted) return state;
    const isWaiting = isWorthWaiting(error);
    reports.report(error, "openWatch", isWaiting ? "reopen" : "relist");
    return isWaiting ? waitFor(error, state) : endSession(state, error);
  }
}

function endByResync<T>({ reports }: RunContext<T>, state: Watching<T>, error: unknown): State<T> {
  state.connection?.noteAge();
  reports.report(error, "resync", "relist");
  state.connection?.close(error);
  return endSession(state, error);
}

/** Ends the session, for a new list. */
function endSession<T>({ memory, session }: Watching<T>, cause: unknown): State<T> {
  session.close();
  return relist(cause, memory);
}

async function readEvents<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
  signal: AbortSignal,
): Promise<End> {
  const { store } = context.settings;
  for (;;) {
    const room = store.waitForCapacity?.({ signal: connection.signal });
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
): End | undefined {
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
  { error, kind }: End,
): State<T> {
  const { delays, reports } = context;
  // Reported when it happened.
  if (kind === "refusedByStore") return endSession(state, error);
  if (kind === "closed" || isBrokenStream(error)) {
    return afterClose(context, state, connection, error);
  }
  if (isExpired(error)) {
    reports.report(error, "watch", "relist");
    return endSession({ ...state, memory: rememberExpired(context, state.memory) }, error);
  }
  const again = { ...state, connection: undefined };
  if (isTooManyRequests(error)) {
    reports.report(error, "watch", "reopen");
    return waitFor(error, again);
  }
  const isRetried = isServerFailure(error) && state.session.internalErrors.shouldRetry();
  reports.report(error, "watch", isRetried ? "reopen" : "relist");
  if (!isRetried) return endSession(state, error);
  return delays.takeImmediate() ? again : waitFor(error, again);
}

/** Closed by the server, broken on the way, or given up as silent. */
function afterClose<T>(
  { delays, reports, settings }: RunContext<T>,
  state: Watching<T>,
  connection: WatchConnection<T>,
  error: unknown,
): State<T> {
  if (connection.isVeryShort) {
    const cause = error ?? new VeryShortWatchError(settings.name);
    reports.report(cause, "watch", "relist");
    return endSession(state, cause);
  }
  // Silence is normal where nothing happens at all. If the connection is dead, the next request
  // shows it.
  if (error !== undefined && !isSilent(error)) reports.report(error, "watch", "reopen");
  // What lasted may be requested again at once; what did not, only a few times: no request storm.
  const again = { ...state, connection: undefined };
  return connection.hasLasted || delays.takeImmediate() ? again : waitFor(error, again);
}

/**
 * The server has no history from here on. A list with a limit shows exactly the state that it
 * names, as long as the storage has it, and not a newer one: when that led to this very state
 * again, the next list must be the newest.
 */
function rememberExpired<T>({ progress, settings }: RunContext<T>, memory: Memory): Memory {
  const { resourceVersion } = progress.current;
  const hasPages = settings.list.pageSize > 0 || memory.serverPaginates;
  const isNewestNeeded =
    memory.isNewestNeeded || (hasPages && memory.expiredAt === resourceVersion);
  return { ...memory, isNewestNeeded, expiredAt: resourceVersion };
}
