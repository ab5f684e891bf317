import { isExpired, isTooLargeResourceVersion } from "@listwatch/client/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import {
  createStreamedListCutError,
  createVeryShortWatchError,
  isBrokenStream,
  isPostponed,
  isRefusal,
  isSilent,
  isWorthWaiting,
} from "../services/errors.ts";
import { StreamedList, type CompleteList } from "../session/streamed-list.ts";
import { replaceStore } from "./listing.ts";
import type { ReflectorOperation } from "../options/status.ts";
import type { RunContext } from "../services/services.ts";
import {
  beginWatching,
  waitFor,
  waitForAnswer,
  type Listing,
  type State,
  type StreamingList,
} from "./state.ts";
import { WatchConnection } from "../session/watch-connection.ts";

/** A failure, and the operation that failed. */
interface Failure {
  readonly error: unknown;
  readonly operation: ReflectorOperation;
}

/** Reads an initial list as a stream of events, and hands it to the store in one piece. */
export async function streamList<T extends KubernetesObject>(
  context: RunContext<T>,
  state: StreamingList<T>,
): Promise<State<T>> {
  const { connection } = state;
  if (connection === undefined) return openStream(context, state);
  let list: CompleteList<T> | undefined;
  let error: unknown;
  try {
    list = await new StreamedList(context, connection).read();
  } catch (thrown) {
    error = thrown;
  }
  if (context.signal.aborted) return state;
  if (list !== undefined) return completeList(context, state, connection, list);
  context.history.noteGap();
  connection.noteAge();
  const next = afterEnd(context, state, connection, error);
  connection.close(error);
  return next;
}

async function openStream<T>(context: RunContext<T>, state: StreamingList<T>): Promise<State<T>> {
  const { history, settings } = context;
  const options = {
    resourceVersion: history.isNewestNeeded ? "" : history.current.resourceVersion,
    resourceVersionMatch: "NotOlderThan",
    sendInitialEvents: true,
  } as const;
  const limits = {
    signal: state.session.signal,
    silenceMs: settings.list.watchListSilenceMs,
    goal: "object of the initial list",
    reuse: history.reuse,
  };
  try {
    return { ...state, connection: await WatchConnection.open(context, options, limits) };
  } catch (error) {
    history.noteGap();
    if (context.signal.aborted) return state;
    return afterFailure(context, state, { error, operation: "openWatch" });
  }
}

async function completeList<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  connection: WatchConnection<T>,
  { isOther, objects, resourceVersion, rest }: CompleteList<T>,
): Promise<State<T>> {
  const { history } = context;
  if (isOther || history.isBehind(resourceVersion)) {
    history.noteGap();
    // A stream may come from a server that lags behind: an ordinary list tells.
    connection.close();
    history.doubt("doubted");
    return beginListing(state, false);
  }
  const about = { resourceVersion, listMs: connection.ageMs, paginated: false, streamed: true };
  const failure = await replaceStore(context, objects, about);
  if (context.signal.aborted) return state;
  history.settle();
  if (failure !== undefined) {
    const next = fallBack(context, state, { ...failure, operation: "replace" });
    connection.close(failure.error);
    return next;
  }
  history.noteWatch();
  connection.handOver(rest);
  connection.noteAccepted();
  return beginWatching(state.session, connection);
}

/** The stream was closed, broke, was given up, or has failed, before the list was complete. */
function afterEnd<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  connection: WatchConnection<T>,
  error: unknown,
): State<T> {
  const isClosed = error === undefined;
  if (!isClosed && !isBrokenStream(error)) {
    return afterFailure(context, state, { error, operation: "watch" });
  }
  // The time is over and the list never came to its end: a server that ignores the request.
  const isIgnored = isClosed ? connection.isTimedOut : isSilent(error);
  const { name } = context.settings;
  const { events, isVeryShort } = connection;
  const createError = (): unknown =>
    isVeryShort ? createVeryShortWatchError(name) : createStreamedListCutError(name, events);
  const failure: Failure = { error: error ?? createError(), operation: "watch" };
  if (isIgnored || isVeryShort) return fallBack(context, state, failure, isIgnored);
  return afterCut(context, state, failure);
}

/** Something came, but not all: the same again, unless that happens each time. */
function afterCut<T>(context: RunContext<T>, state: StreamingList<T>, failure: Failure): State<T> {
  const cuts = state.cuts + 1;
  if (cuts >= context.settings.behaviour.maxCutStreams) {
    return fallBack(context, state, failure, true);
  }
  context.reports.report(failure.error, failure.operation, "reopen");
  return tryAgain(context, { ...state, cuts });
}

/** The request failed, when it was made or by an ERROR event. */
function afterFailure<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  failure: Failure,
): State<T> {
  const { history, reports, settings } = context;
  const { error, operation } = failure;
  if (isWorthWaiting(error)) {
    reports.report(error, operation, "reopen");
    return waitForAnswer(error, { ...state, connection: undefined });
  }
  const isTooLarge = isTooLargeResourceVersion(error);
  if (isTooLarge && history.noteTooLarge()) {
    reports.report(error, operation, "newest");
    return beginListing(state, false);
  }
  if (isTooLarge || isExpired(error)) return afterExpired(context, state, failure);
  const { maxBrokenOpenings, maxCutStreams } = settings.behaviour;
  const cuts = state.cuts + 1;
  const isEarly = cuts < Math.min(maxBrokenOpenings, maxCutStreams);
  if (isEarly && operation === "openWatch" && isPostponed(error)) {
    reports.report(error, operation, "reopen");
    return waitForAnswer(error, { ...state, cuts });
  }
  return fallBack(context, state, failure, isRefusal(error));
}

/** The newest state instead, unless the stream of that one ends so, too. */
function afterExpired<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  { error, operation }: Failure,
): State<T> {
  const { history, reports, settings } = context;
  const cuts = state.cuts + 1;
  history.requireNewest();
  if (cuts >= settings.behaviour.maxCutStreams) {
    const events = state.connection?.events ?? 0;
    const cut = createStreamedListCutError(settings.name, events, error);
    return fallBack(context, state, { error: cut, operation: "watch" }, true);
  }
  reports.report(error, operation, "newest");
  return tryAgain(context, { ...state, cuts });
}

/** The same request, at once if that did not happen too often lately. */
function tryAgain<T>({ delays }: RunContext<T>, state: StreamingList<T>): State<T> {
  const again = { ...state, connection: undefined };
  return delays.takeImmediate() ? again : waitFor(undefined, again);
}

/** Reports a failure; an ordinary list follows. */
function fallBack<T>(
  { reports }: RunContext<T>,
  state: StreamingList<T>,
  { error, operation }: Failure,
  isStreamRefused = false,
): Listing {
  reports.report(error, operation, "list");
  return beginListing(state, isStreamRefused);
}

function beginListing<T>({ session }: StreamingList<T>, isStreamRefused: boolean): Listing {
  session.close();
  return { kind: "listing", isStreamRefused };
}
