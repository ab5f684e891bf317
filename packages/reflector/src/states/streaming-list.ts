import { type WatchEvent } from "@listwatch/client";
import { isExpired, isTooLargeResourceVersion } from "@listwatch/client/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { findInconsistency } from "../source/consistency.ts";
import { createStreamedListCutError, createVeryShortWatchError } from "../services/errors.ts";
import {
  errorOfEvent,
  isBrokenStream,
  isPostponed,
  isRefusal,
  isSilent,
  isWorthWaiting,
} from "../services/failure-kinds.ts";
import {
  StreamedObjects,
  InitialListWarning,
  initialTransform,
} from "../session/streamed-objects.ts";
import { replaceStore } from "./listing.ts";
import type { ReflectorOperation } from "../options/status.ts";
import type { RunContext } from "../services/services.ts";
import { beginWatching, waitFor, waitForAnswer, type State, type StreamingList } from "./state.ts";
import { WatchConnection } from "../session/watch-connection.ts";

/** The end of the initial objects; `rest` came behind them. */
interface ListEnd<T> {
  readonly resourceVersion: string;
  readonly rest: readonly WatchEvent<T>[];
}

/** All initial objects. */
interface CompleteList<T> extends ListEnd<T> {
  readonly objects: readonly T[];
  /** Whether an object belongs to another history than the store. */
  readonly isOther: boolean;
}

/** Reads an initial list as a stream of events, and hands it to the store in one piece. */
export async function streamList<T extends KubernetesObject>(
  context: RunContext<T>,
  state: StreamingList<T>,
): Promise<State<T>> {
  const { connection } = state;
  if (connection === undefined) return openStream(context, state);
  let next: State<T>;
  let cause: unknown;
  try {
    const list = await readStream(context, connection);
    if (context.signal.aborted) return state;
    if (list !== undefined) return await completeList(context, state, connection, list);
    context.history.noteGap();
    connection.noteAge();
    next = afterClose(context, state, connection);
  } catch (error) {
    if (context.signal.aborted) return state;
    cause = error;
    context.history.noteGap();
    connection.noteAge();
    next = isBrokenStream(error)
      ? afterBreak(context, state, connection, error)
      : afterFailure(context, state, error, "watch");
  }
  connection.close(cause);
  return next;
}

async function openStream<T>(context: RunContext<T>, state: StreamingList<T>): Promise<State<T>> {
  const { history, progress, settings } = context;
  const options = {
    resourceVersion: history.isNewestNeeded ? "" : progress.current.resourceVersion,
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
    return context.signal.aborted ? state : afterFailure(context, state, error, "openWatch");
  }
}

/** Reads events until the bookmark that ends the list; `undefined` if the server closes before. */
async function readStream<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
): Promise<CompleteList<T> | undefined> {
  const list = new StreamedObjects(context);
  const warning = new InitialListWarning(context, connection);
  const receive = (batch: readonly WatchEvent<T>[]): ListEnd<T> | undefined => {
    if (batch.length > 0) warning.noteEvents();
    for (const [index, event] of batch.entries()) {
      if (event.type === "ERROR") throw errorOfEvent(event.object);
      const resourceVersion = list.take(event, connection);
      if (resourceVersion !== undefined) return { resourceVersion, rest: batch.slice(index + 1) };
    }
    return undefined;
  };
  try {
    const end = await connection.read({ receive });
    if (end === undefined) return undefined;
    const { isOther, objects } = list;
    await checkConsistency(context, connection, objects, end.resourceVersion);
    return { isOther, objects, ...end };
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
  const { clock, listerWatcher } = settings;
  const transform = initialTransform(settings);
  const copy = { listerWatcher, objects, resourceVersion, transform };
  const inconsistency = await findInconsistency({ ...copy, signal, clock });
  if (inconsistency !== undefined) reports.report(inconsistency, "check", "skip");
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
    return fallBack(state, false);
  }
  const about = { resourceVersion, listMs: connection.ageMs, paginated: false, streamed: true };
  const failure = await replaceStore(context, objects, about);
  if (context.signal.aborted) return state;
  history.settle();
  if (failure !== undefined) {
    context.reports.report(failure.error, "replace", "list");
    connection.close(failure.error);
    return fallBack(state, false);
  }
  context.progress.noteWatch();
  connection.handOver(rest);
  connection.noteAccepted();
  return beginWatching(state.session, connection);
}

/** The server ended the stream before the list was complete. */
function afterClose<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  connection: WatchConnection<T>,
): State<T> {
  const { reports, settings } = context;
  if (connection.isVeryShort) {
    reports.report(createVeryShortWatchError(settings.name), "watch", "list");
    return fallBack(state, false);
  }
  const error = createStreamedListCutError(settings.name, connection.events);
  // The requested time is over and the list never came to its end: a server that ignores it.
  if (!connection.isTimedOut) return afterCut(context, state, error);
  reports.report(error, "watch", "list");
  return fallBack(state, true);
}

/** Handles a stream that broke or was given up as silent. */
function afterBreak<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  connection: WatchConnection<T>,
  error: unknown,
): State<T> {
  const isStreamSilent = isSilent(error);
  if (!isStreamSilent && !connection.isVeryShort) return afterCut(context, state, error);
  context.reports.report(error, "watch", "list");
  return fallBack(state, isStreamSilent);
}

/** Something came, but not all: the same again, unless that happens each time. */
function afterCut<T>(context: RunContext<T>, state: StreamingList<T>, error: unknown): State<T> {
  const { reports, settings } = context;
  const cuts = state.cuts + 1;
  const needsList = cuts >= settings.behaviour.maxCutStreams;
  reports.report(error, "watch", needsList ? "list" : "reopen");
  return needsList ? fallBack(state, true) : tryAgain(context, { ...state, cuts });
}

/** The request failed, when it was made or by an ERROR event. */
function afterFailure<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  error: unknown,
  operation: ReflectorOperation,
): State<T> {
  const { history, reports, settings } = context;
  if (isWorthWaiting(error)) {
    reports.report(error, operation, "reopen");
    return waitForAnswer(error, { ...state, connection: undefined });
  }
  const isTooLarge = isTooLargeResourceVersion(error);
  if (isTooLarge && history.noteTooLarge()) {
    reports.report(error, operation, "newest");
    return fallBack(state, false);
  }
  if (isTooLarge || isExpired(error)) {
    return afterExpired(context, state, error, operation);
  }
  const { maxBrokenOpenings, maxCutStreams } = settings.behaviour;
  const cuts = state.cuts + 1;
  const isEarly = cuts < Math.min(maxBrokenOpenings, maxCutStreams);
  if (isEarly && operation === "openWatch" && isPostponed(error)) {
    reports.report(error, operation, "reopen");
    return waitForAnswer(error, { ...state, cuts });
  }
  reports.report(error, operation, "list");
  return fallBack(state, isRefusal(error));
}

/** The newest state instead, unless the stream of that one ends so, too. */
function afterExpired<T>(
  context: RunContext<T>,
  state: StreamingList<T>,
  error: unknown,
  operation: ReflectorOperation,
): State<T> {
  const { history, reports, settings } = context;
  history.requireNewest();
  if (state.cuts + 1 >= settings.behaviour.maxCutStreams) {
    const events = state.connection?.events ?? 0;
    return afterCut(context, state, createStreamedListCutError(settings.name, events, error));
  }
  reports.report(error, operation, "newest");
  return tryAgain(context, { ...state, cuts: state.cuts + 1 });
}

/** The same request, at once if that did not happen too often lately. */
function tryAgain<T>({ delays }: RunContext<T>, state: StreamingList<T>): State<T> {
  const again = { ...state, connection: undefined };
  return delays.takeImmediate() ? again : waitFor(undefined, again);
}

/** An ordinary list instead. */
function fallBack<T>({ session }: StreamingList<T>, isStreamRefused: boolean): State<T> {
  session.close();
  return { kind: "listing", isStreamRefused };
}
