import { onAborted, type Random } from "@listwatch/core-fifo/base";
import type { WatchListMode } from "../control/server-control.ts";
import { compressFlushes } from "../output/compression.ts";
import { commonHeaders } from "../output/result.ts";
import type { TableWriter } from "../output/table.ts";
import { type ResponseContext, shownBy, tableWriter } from "../output/respond.ts";
import type { ResourceViews } from "../output/resource-views.ts";
import {
  type EventFormat,
  jsonEvents,
  protobufEvents,
  ViewWatchEncoder,
  type WatchEncoder,
} from "../output/watch-encoder.ts";
import type { OutputFormat } from "../output/negotiation.ts";
import { loadProtobuf, protobufType } from "../protobuf/protobuf.ts";
import { partialObjectMetadata } from "../output/partial-metadata.ts";
import { expired, tooLargeResourceVersion } from "../api/errors.ts";
import { statusOf } from "../api/status.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ApiError } from "../api/api-error.ts";
import { lowerBound } from "../storage/sorted-objects.ts";
import { checkWatchOptions, type ListOptions, parseListOptions } from "../input/list-options.ts";
import { createObjectFilter } from "./object-filter.ts";
import type { ResourceRequest } from "./resource-request.ts";
import {
  awaitRevision,
  parseRevision,
  type ReadView,
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
  const { clock, converter, core, exchange, info, storage, store } = request;
  const { signal } = info.request;
  const options = readOptions(info.query, exchange.watchList);
  const filter = createObjectFilter(request, info, core.settings.shardedListAndWatch);
  const wanted = parseRevision(options.resourceVersion, storage);
  const { settings } = core;
  const events = await eventFormat(request.format);
  const isTable = request.format.transform?.kind === "Table";
  const table = isTable
    ? await tableWriter({ ...request, presenter: shownBy(request) })
    : undefined;
  const isReached = await untilStart(request, options, wanted, signal);
  // No await from here to the stream: a compaction in between would remove events after a start
  // that was found not to be too old.
  const start = findStart(request, options, wanted, filter.root, isReached);
  const stream = new WatchStream({
    clock,
    storage,
    store,
    filter,
    translator: core.translator,
    encoder: encoderOf(request, core.views, events, table),
    prepare: converter && ((objects) => converter.prepare(objects)),
    startRevision: start.revision,
    initial: start.initial,
    initialEventsEnd: start.initialEventsEnd,
    bookmarks: options.allowWatchBookmarks,
    bookmarkIntervalMs: exchange.bookmarkIntervalMs ?? settings.bookmarkIntervalMs,
    timeoutMs: timeoutOf(options, core.jitter),
    writesErrorsAlone: request.format.transform?.kind === "PartialObjectMetadataList",
    bufferEvents: settings.watchBufferEvents,
    bufferCharacters: settings.watchBufferBytes,
  });
  if (start.error !== undefined) {
    stream.finish({ type: "ERROR", revision: start.revision, status: statusOf(start.error) });
  }
  const body = exchange.watchOpened(stream);
  stream.onClose(onAborted(signal, () => stream.cancel()));
  const { mediaType } = request.format;
  const contentType = mediaType === protobufType ? `${protobufType};stream=watch` : mediaType;
  const headers = { ...commonHeaders, "content-type": contentType };
  const response = new Response(body, { headers });
  // The bookmark that ends the initial events is announced for a request with `sendInitialEvents`,
  // or one from any version that takes bookmarks: these are what 1.37 compresses.
  return start.initialEventsEnd ? compressFlushes(info.request, response) : response;
}

async function eventFormat({ mediaType }: OutputFormat): Promise<EventFormat> {
  if (mediaType !== protobufType) return jsonEvents;
  await loadProtobuf();
  return protobufEvents;
}

function encoderOf(
  context: ResponseContext,
  views: ResourceViews,
  events: EventFormat,
  table: TableWriter | undefined,
): WatchEncoder {
  const { clock, format } = context;
  const presenter = shownBy(context);
  const { transform } = format;
  if (transform === undefined) return views.watchEncoder(presenter, events);
  if (table === undefined) {
    return new ViewWatchEncoder(presenter, events, (object) =>
      partialObjectMetadata(object, transform.version),
    );
  }
  let first = true;
  return new ViewWatchEncoder(presenter, events, (object) => {
    const now = clock.now();
    const view = first ? table.single(object, now) : table.following(object, now);
    first = false;
    return view;
  });
}

function readOptions(query: URLSearchParams, watchList: WatchListMode): ListOptions {
  const options = parseListOptions(query);
  // A server from before the feature does not know the parameter.
  const known =
    watchList === "ignored"
      ? { ...options, sendInitialEvents: undefined, resourceVersionMatch: "" }
      : options;
  checkWatchOptions(known, watchList === "supported");
  return known;
}

function timeoutOf({ timeoutSeconds }: ListOptions, jitter: Random): number {
  if (timeoutSeconds !== undefined && timeoutSeconds !== 0) return timeoutSeconds * 1000;
  return minimumTimeoutMs * (1 + jitter());
}

/** Initial events of a revision wait for it; false if it does not come in time. */
async function untilStart(
  view: ReadView,
  { sendInitialEvents = false }: ListOptions,
  wanted: RequestedRevision,
  signal: AbortSignal,
): Promise<boolean> {
  if (!sendInitialEvents || wanted.kind !== "revision") return true;
  return awaitRevision(view, wanted.revision, signal);
}

function findStart(
  view: ReadView,
  options: ListOptions,
  wanted: RequestedRevision,
  root: string,
  isReached: boolean,
): WatchStart {
  const { exchange, storage, store } = view;
  const fromAnywhere = wanted.kind !== "revision";
  const initialEvents = options.sendInitialEvents ?? fromAnywhere;
  const watchList = exchange.watchList === "supported";
  if (!initialEvents) {
    const revision = fromAnywhere ? visibleRevision(view) : wanted.revision;
    const floor = Math.max(store.watchFloor, exchange.cacheView?.watchFloor ?? 0);
    const tooOld = revision < floor;
    const { versions } = storage;
    const given = fromAnywhere ? versions.textOf(revision) : wanted.text;
    const text = `too old resource version: ${given} (${versions.textOf(floor)})`;
    const error = tooOld ? expired(text) : undefined;
    // A refused watch begins at the end of the history, so that no event comes before the error.
    const begin = tooOld ? storage.revision : revision;
    return { revision: begin, initial: [], initialEventsEnd: false, error };
  }
  if (!fromAnywhere && !isReached) {
    const error = tooLargeResourceVersion(
      wanted.text,
      storage.versions.textOf(visibleRevision(view)),
    );
    return { revision: storage.revision, initial: [], initialEventsEnd: false, error };
  }
  // The end of the initial events is announced also where the feature was not asked for by name.
  const initialEventsEnd = options.allowWatchBookmarks && watchList;
  const revision = visibleRevision(view);
  const all = store.objectsAt(revision);
  const initial = all.slice(lowerBound(all, root));
  return { revision, initial, initialEventsEnd, error: undefined };
}
