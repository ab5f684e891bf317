import { commonHeaders } from "../output/result.ts";
import { tableWriter } from "../output/respond.ts";
import { ViewWatchEncoder, type WatchEncoder } from "../output/watch-encoder.ts";
import { partialObjectMetadata } from "../output/partial-metadata.ts";
import { expired, plainServerError, tooLargeResourceVersion } from "../api/errors.ts";
import { statusOf } from "../api/status.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ApiError } from "../api/api-error.ts";
import { lowerBound } from "../storage/sorted-objects.ts";
import { checkWatchOptions, type ListOptions, parseListOptions } from "../input/list-options.ts";
import { createObjectFilter, type ObjectFilter } from "./object-filter.ts";
import type { ResourceRequest } from "./resource-request.ts";
import {
  awaitRevision,
  parseRevision,
  type RequestedRevision,
  visibleRevision,
} from "./revisions.ts";
import { WatchStream } from "./watch-stream.ts";

// Without timeoutSeconds a watch lives for a random time between this and twice as long:
// k8s.io/apiserver `MinRequestTimeout`.
const minimumTimeoutMs = 1_800_000;

/** Where a watch begins. */
interface WatchStart {
  readonly revision: number;
  readonly initial: readonly StoredObject[];
  readonly initialEventsEnd: boolean;
  /** Ends the watch at once, in-band. */
  readonly error: ApiError | undefined;
}

/** GET of a collection with `watch`: answers with the head at once and with events as they come. */
export async function watchObjects(request: ResourceRequest): Promise<Response> {
  const { clock, core, exchange, info, storage, store } = request;
  const options = readOptions(request);
  const filter = createObjectFilter(request, info, core.settings.shardedListAndWatch);
  const wanted = parseRevision(options.resourceVersion);
  const { settings } = core;
  const isReached = await untilStart(request, options, wanted);
  // No await from here to the stream: a compaction in between would remove events after a start
  // that was found not to be too old.
  const start = findStart(request, options, wanted, filter, isReached);
  const stream = new WatchStream({
    clock,
    storage,
    store,
    filter,
    translator: core.translator,
    encoder: encoderOf(request),
    startRevision: start.revision,
    initial: start.initial,
    initialEventsEnd: start.initialEventsEnd,
    bookmarks: options.allowWatchBookmarks,
    bookmarkIntervalMs: exchange.bookmarkIntervalMs ?? settings.bookmarkIntervalMs,
    timeoutMs: timeoutOf(request, options),
    bufferEvents: settings.watchBufferEvents,
  });
  if (start.error !== undefined) {
    stream.finish({ type: "ERROR", revision: start.revision, status: statusOf(start.error) });
  }
  const body = exchange.watchOpened(stream);
  const { signal } = info.request;
  const abort = (): void => stream.cancel();
  stream.onClose(() => signal.removeEventListener("abort", abort));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  const headers = { ...commonHeaders, "content-type": "application/json" };
  return new Response(body, { headers });
}

function encoderOf(request: ResourceRequest): WatchEncoder {
  const { clock, core, format, presenter } = request;
  const { transform } = format;
  if (transform === undefined) return core.views.watchEncoder(presenter);
  if (transform.kind === "PartialObjectMetadataList") {
    throw plainServerError("content is not a list");
  }
  if (transform.kind === "PartialObjectMetadata") {
    return new ViewWatchEncoder(presenter, (object) =>
      partialObjectMetadata(object, transform.version),
    );
  }
  const table = tableWriter(request);
  let first = true;
  return new ViewWatchEncoder(presenter, (object) => {
    const now = clock.now();
    const view = first ? table.single(object, now) : table.following(object, now);
    first = false;
    return view;
  });
}

function readOptions(request: ResourceRequest): ListOptions {
  const { exchange, info } = request;
  const options = parseListOptions(info.query);
  // A server from before the feature does not know the parameter.
  const known =
    exchange.watchList === "ignored"
      ? { ...options, sendInitialEvents: undefined, resourceVersionMatch: "" }
      : options;
  checkWatchOptions(known, exchange.watchList === "supported");
  return known;
}

function timeoutOf(request: ResourceRequest, options: ListOptions): number {
  const { timeoutSeconds } = options;
  if (timeoutSeconds !== undefined && timeoutSeconds !== 0) return timeoutSeconds * 1000;
  return minimumTimeoutMs * (1 + request.core.jitter());
}

/** Initial events of a revision wait for it; false if it does not come in time. */
async function untilStart(
  request: ResourceRequest,
  { sendInitialEvents = false }: ListOptions,
  wanted: RequestedRevision,
): Promise<boolean> {
  if (!sendInitialEvents || wanted.kind !== "revision") return true;
  return awaitRevision(request, wanted.revision);
}

function findStart(
  request: ResourceRequest,
  options: ListOptions,
  wanted: RequestedRevision,
  filter: ObjectFilter,
  isReached: boolean,
): WatchStart {
  const { exchange, storage, store } = request;
  const fromAnywhere = wanted.kind !== "revision";
  const initialEvents = options.sendInitialEvents ?? fromAnywhere;
  const watchList = exchange.watchList === "supported";
  if (!initialEvents) {
    const revision = fromAnywhere ? visibleRevision(request) : wanted.revision;
    const floor = Math.max(store.watchFloor, exchange.cacheView?.watchFloor ?? 0);
    const tooOld = revision < floor;
    const error = tooOld ? expired(`too old resource version: ${revision} (${floor})`) : undefined;
    // A refused watch begins at the end of the history, so that no event comes before the error.
    const begin = tooOld ? storage.revision : revision;
    return { revision: begin, initial: [], initialEventsEnd: false, error };
  }
  if (!fromAnywhere && !isReached) {
    const error = tooLargeResourceVersion(wanted.text, visibleRevision(request));
    return { revision: storage.revision, initial: [], initialEventsEnd: false, error };
  }
  // The end of the initial events is announced also where the feature was not asked for by name.
  const initialEventsEnd = options.allowWatchBookmarks && watchList;
  const revision = visibleRevision(request);
  const all = store.objectsAt(revision);
  const initial = all.slice(lowerBound(all, filter.root));
  return { revision, initial, initialEventsEnd, error: undefined };
}
