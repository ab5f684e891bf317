import { isTooManyRequests } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import {
  createSilentWatchesError,
  createVeryShortWatchError,
  isBrokenStream,
  isPostponed,
  isServerFailure,
  isSilent,
  isUnreachable,
  isWorthWaiting,
} from "../services/errors.ts";
import { readNewestVersion } from "./listing.ts";
import type { ReflectorOperation } from "../options/status.ts";
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
  const { history, reports, settings } = context;
  const { behaviour, clock } = settings;
  const { signal } = state.session;
  const { resourceVersion } = history.current;
  const limits = { signal, silenceMs: settings.watch.silenceMs };
  try {
    const connection = await WatchConnection.open(context, { resourceVersion }, limits);
    history.noteWatch();
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
    if (!isReopened) {
      if (isExpired(error)) history.noteExpiredOpening();
      return fail(context, state, error, "openWatch");
    }
    reports.report(error, "openWatch", "reopen");
    const downSinceMs = state.downSinceMs ?? (isUnreachable(error) ? clock.now() : undefined);
    return waitForAnswer(error, { ...state, brokenOpenings, downSinceMs });
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
  const error = history.createError(newest);
  const next = endByHistory(context, again, error, "check");
  state.connection?.close(error);
  return next;
}

/** The server's state does not continue the stored one: relist from nothing. */
function endByHistory<T>(
  context: RunContext<T>,
  state: Watching<T>,
  error: unknown,
  operation: "check" | "watch",
): State<T> {
  context.history.doubt("other");
  return fail(context, state, error, operation);
}

function endByResync<T>(context: RunContext<T>, state: Watching<T>, error: unknown): State<T> {
  context.history.noteGap();
  state.connection?.noteAge();
  const next = fail(context, state, error, "resync");
  state.connection?.close(error);
  return next;
}

/** Reports a failure that only a new list repairs, and ends the session. */
function fail<T>(
  { reports }: RunContext<T>,
  state: Watching<T>,
  error: unknown,
  operation: ReflectorOperation,
): State<T> {
  reports.report(error, operation, "relist");
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
  const { delays, history, reports } = context;
  if (end.kind === "otherHistory") return endByHistory(context, state, end.error, "watch");
  const { error, kind } = end;
  if (kind === "unusable") return endSession(state, error);
  if (kind === "closed" || isBrokenStream(error)) {
    return afterClose(context, state, connection, error);
  }
  if (isExpired(error)) {
    history.noteExpired();
    return fail(context, state, error, "watch");
  }
  const isBusy = isTooManyRequests(error);
  const isRetried = isServerFailure(error) && state.session.internalErrors.shouldRetry();
  if (!isBusy && !isRetried) return fail(context, state, error, "watch");
  reports.report(error, "watch", "reopen");
  const again = { ...state, connection: undefined };
  return !isBusy && delays.takeImmediate() ? again : waitFor(error, again);
}

/** Handles a watch that was closed by the server, broke, or was given up as silent. */
function afterClose<T>(
  context: RunContext<T>,
  state: Watching<T>,
  connection: WatchConnection<T>,
  error: unknown,
): State<T> {
  const { delays, history, reports, settings } = context;
  if (connection.isVeryShort) {
    return fail(context, state, error ?? createVeryShortWatchError(settings.name), "watch");
  }
  if (connection.isTimedOut) {
    reports.noteSound();
    history.noteWatch();
  } else if (connection.isSilent && !connection.isGivenUp && reports.noteSilentClose()) {
    history.requireNewest();
    const cause = createSilentWatchesError(settings.name, reports.silentCloses);
    return fail(context, state, cause, "watch");
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
