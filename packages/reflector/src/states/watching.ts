import { isTooManyRequests } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import {
  createSilentWatchesError,
  createVeryShortWatchError,
  type OtherHistoryError,
} from "../services/errors.ts";
import {
  isBrokenStream,
  isPostponed,
  isServerFailure,
  isSilent,
  isUnreachable,
  isWorthWaiting,
} from "../services/failure-kinds.ts";
import { readNewestVersion } from "../session/list-reader.ts";
import type { RunContext } from "../services/services.ts";
import { relist, waitFor, waitForAnswer, type State, type Watching } from "./state.ts";
import { WatchConnection } from "../session/watch-connection.ts";
import { readEvents, type End } from "../session/watch-events.ts";

/** Opens a connection, or follows the changes on the open one until it ends. */
export async function watch<T extends KubernetesObject>(
  context: RunContext<T>,
  state: Watching<T>,
): Promise<State<T>> {
  const { connection, session } = state;
  if (session.failure !== undefined) return endByResync(context, state, session.failure.error);
  if (connection === undefined) {
    const isCheckDue = context.history.isCheckDue(state.silences);
    return isCheckDue ? checkHistory(context, state) : openWatch(context, state);
  }
  const end = await readEvents(context, connection, session.signal).catch(
    (error: unknown): End => ({ kind: "failed", error }),
  );
  if (end.kind !== "unusable") context.history.noteGap();
  // The run has ended, or a resync has failed: the next step closes the connection.
  if (session.signal.aborted) return state;
  connection.noteAge();
  const next = decide(context, state, connection, end);
  connection.close(end.error);
  return context.history.canResume || !isWatchAgain(next) ? next : endSession(state, end.error);
}

function isWatchAgain<T>(state: State<T>): boolean {
  return state.kind === "watching" || (state.kind === "waiting" && state.then.kind === "watching");
}

async function openWatch<T>(context: RunContext<T>, state: Watching<T>): Promise<State<T>> {
  const { history, progress, reports, server, settings } = context;
  const { behaviour, clock } = settings;
  const { signal } = state.session;
  const { resourceVersion } = progress.current;
  const limits = { signal, silenceMs: settings.watch.silenceMs };
  try {
    const connection = await WatchConnection.open(context, { resourceVersion }, limits);
    progress.noteWatch();
    connection.noteAccepted();
    const opened = { ...state, brokenOpenings: 0, downSinceMs: undefined, connection };
    const { downSinceMs } = state;
    const downMs = downSinceMs === undefined ? undefined : clock.now() - downSinceMs;
    return history.isCheckDueAfter(downMs) ? await checkHistory(context, opened) : opened;
  } catch (error) {
    if (signal.aborted) return state;
    history.noteGap();
    const isWaiting = isWorthWaiting(error);
    const isBroken = !isWaiting && (isUnreachable(error) || isPostponed(error));
    const brokenOpenings = isBroken ? state.brokenOpenings + 1 : 0;
    // Again and again: the lists of a server can work when its watches, or a proxy's, do not.
    const isReopened =
      isWaiting || (brokenOpenings > 0 && brokenOpenings < behaviour.maxBrokenOpenings);
    reports.report(error, "openWatch", isReopened ? "reopen" : "relist");
    const downSinceMs = state.downSinceMs ?? (isUnreachable(error) ? clock.now() : undefined);
    if (isReopened) return waitForAnswer(error, { ...state, brokenOpenings, downSinceMs });
    if (isExpired(error)) history.noteExpiredOpening(server.hasPages);
    return endSession(state, error);
  }
}

/**
 * Whether the server still has the history of a watch that was silent, or of one that could be
 * opened again after an outage; then the watch goes on.
 */
async function checkHistory<T>(context: RunContext<T>, state: Watching<T>): Promise<State<T>> {
  const { history, reports } = context;
  const { signal } = state.session;
  const again = { ...state, silences: 0 };
  let newest: string;
  try {
    newest = await readNewestVersion(context, signal);
  } catch (error) {
    if (signal.aborted) return state;
    reports.report(error, "check", "reopen");
    const isWaiting = state.connection === undefined && isWorthWaiting(error);
    return isWaiting ? waitForAnswer(error, again) : again;
  }
  if (signal.aborted) return state;
  if (!history.isBehind(newest)) return again;
  return endByHistory(context, again, history.createError(newest), "check");
}

/** The server's state does not continue the stored one: relist from nothing. */
function endByHistory<T>(
  { history, reports }: RunContext<T>,
  state: Watching<T>,
  error: OtherHistoryError,
  operation: "check" | "watch",
): State<T> {
  reports.report(error, operation, "relist");
  state.connection?.close(error);
  history.doubt("other");
  return endSession(state, error);
}

function endByResync<T>(
  { history, reports }: RunContext<T>,
  state: Watching<T>,
  error: unknown,
): State<T> {
  history.noteGap();
  state.connection?.noteAge();
  reports.report(error, "resync", "relist");
  state.connection?.close(error);
  return endSession(state, error);
}

/** Ends the session, for a new list. */
function endSession<T>({ session }: Watching<T>, cause: unknown): State<T> {
  session.close();
  return relist(cause);
}

/**
 * Chooses the state after the end of a connection, such as a list after a 410 (client-go `watch`
 * and `handleAnyWatch`, tools/cache/reflector.go).
 */
function decide<T>(
  context: RunContext<T>,
  state: Watching<T>,
  connection: WatchConnection<T>,
  end: End,
): State<T> {
  const { delays, history, reports, server } = context;
  if (end.kind === "otherHistory") return endByHistory(context, state, end.error, "watch");
  const { error, kind } = end;
  if (kind === "unusable") return endSession(state, error);
  if (kind === "closed" || isBrokenStream(error)) {
    return afterClose(context, state, connection, error);
  }
  if (isExpired(error)) {
    reports.report(error, "watch", "relist");
    history.noteExpired(server.hasPages);
    return endSession(state, error);
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

/** Handles a watch that was closed by the server, broke, or was given up as silent. */
function afterClose<T>(
  context: RunContext<T>,
  state: Watching<T>,
  connection: WatchConnection<T>,
  error: unknown,
): State<T> {
  const { delays, history, progress, reports, settings, silentCloses } = context;
  if (connection.isVeryShort) {
    const cause = error ?? createVeryShortWatchError(settings.name);
    reports.report(cause, "watch", "relist");
    return endSession(state, cause);
  }
  if (connection.isTimedOut) {
    silentCloses.noteSound();
    progress.noteWatch();
  } else if (connection.isSilent && !connection.isGivenUp && silentCloses.noteClose()) {
    const cause = createSilentWatchesError(settings.name, silentCloses.inARow);
    reports.report(cause, "watch", "relist");
    history.requireNewest();
    return endSession(state, cause);
  }
  // Silence is normal where nothing happens at all. If the connection is dead, the next request
  // shows it.
  if (error !== undefined && !isSilent(error)) reports.report(error, "watch", "reopen");
  // A watch that lasted may be requested again at once, others only a few times: no request storm.
  const isQuiet = connection.isSilent && (connection.isGivenUp || connection.isTimedOut);
  // A server that is restored ends its watches, and is silent on the next one.
  const silences = isQuiet ? state.silences + 1 : connection.isTimedOut ? 0 : 1;
  const again = { ...state, silences, connection: undefined };
  return connection.hasLasted || delays.takeImmediate() ? again : waitFor(error, again);
}
