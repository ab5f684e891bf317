import {
  callHook,
  systemClock,
  type Clock,
  checkOptions,
  aBoolean,
  aClock,
  aFunction,
  aNumber,
  anything,
  aString,
  having,
  oneOf,
  type OptionsOf,
  type OptionTable,
} from "@listwatch/core-fifo/base";
import { consoleLog, type KubernetesObject } from "@listwatch/core-fifo";
import { DecodeError } from "../errors/decode-errors.ts";
import { StatusError } from "../errors/status-error.ts";
import { readBatches, type PieceDecoder } from "../http/body.ts";
import { anEncoding, type Connection, type Encoding } from "../http/connection.ts";
import { ProgressLimit, type ListProgress } from "../http/progress-limit.ts";
import { Requester, type QueryParameters } from "../http/request.ts";
import type { Warning } from "../http/warnings.ts";
import type { Decoder, ReuseFunction } from "../json/decoder.ts";
import { noteProjected } from "../json/dropped-fields.ts";
import { jsonDecoder } from "../json/json-decoder.ts";
import type { ListMeta, ListOptions, WatchEvent, WatchOptions } from "../resource/list-watch.ts";
import { apiVersionOf, checkResource, collectionPath } from "../resource/paths.ts";
import type { FieldPath } from "../resource/projected.ts";
import type { ResourceReference } from "../resource/resource.ts";
import { ShardSelector } from "../resource/shard-selector.ts";
import { Decoding, leavesOutManagedFields } from "./decoding.ts";

/** Options of {@link Collection}: the objects and their form. */
export interface CollectionOptions<T = KubernetesObject> {
  /** Connection to the API server, such as one from `createConnection`. It is not closed. */
  readonly connection: Connection;
  /** Resource to list and watch. A handle determines the type of the objects. */
  readonly resource: ResourceReference<T>;
  /** Namespace of the objects. @default all namespaces, or a cluster-scoped resource */
  readonly namespace?: string | undefined;
  /** Selector in the server's syntax, such as `app=web,tier!=db`. @default none, all objects */
  readonly labelSelector?: string | undefined;
  /**
   * Selector in the server's syntax, such as `spec.nodeName=worker-1`. Few fields are supported for
   * each kind.
   *
   * @default none, all objects
   */
  readonly fieldSelector?: string | undefined;
  /**
   * Part of the collection, by hash range of uid or namespace, see {@link shardRange} (KEP-5866). A
   * server without the feature ignores it and sends all objects. Reflectors and informers leave out
   * those of other shards; lists and watches of a Collection, and a RetryWatcher, do not.
   *
   * @default none, all objects
   */
  readonly shardSelector?: string | undefined;
  /**
   * Whether to request metadata only. The objects are then {@link PartialObjectMetadata}, and an
   * update of one is refused.
   *
   * @default false
   */
  readonly metadataOnly?: boolean | undefined;
  /**
   * Minimum progress of a list. A slower one fails with a {@link NetworkError} of kind `timeout`.
   * `withinMs: Infinity` for no limit.
   *
   * @default { bytes: 32_768, withinMs: 120_000 }
   */
  readonly listProgress?: ListProgress | undefined;
  /**
   * Called with each warning that the server sends with a list or a watch, such as about a
   * deprecated API.
   *
   * @default none
   */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Decoder of the representation that the server is asked for. @default jsonDecoder() */
  readonly decoder?: Decoder | undefined;
  /**
   * Members of objects to keep, such as `["metadata.labels", "spec.nodeName"]`. A path is an array
   * of names if a name contains a dot or a slash. A list is kept as a whole. Name, namespace, uid,
   * resourceVersion, apiVersion and kind are always kept. Other members are skipped, which takes
   * less time than parsing them, and a small part of the memory. The objects are then
   * {@link Projected}, and an update of one is refused.
   *
   * @default all members
   */
  readonly fields?: readonly FieldPath[] | undefined;
  /**
   * Whether large members of objects, such as `spec` and `status`, may be parsed on first access.
   * Members that the program reads of most objects are soon parsed with the object. The objects
   * look and behave like others. A malformed member, which no API server sends, throws a
   * {@link LazyTextError} when it is read. `false` parses everything at once, which takes up to an
   * eighth less time in the first list of a program that reads all of every object.
   *
   * @default true, if the decoder can and `fields` are not given
   */
  readonly lazy?: boolean | undefined;
  /**
   * Whether objects have their `metadata.managedFields`, often a fifth of their size or more.
   * `false` asks the server to leave them out (KEP-5958, alpha in Kubernetes 1.38). They are
   * skipped in the responses of other servers, with each `lazy`, `fields` and `encoding`. A client
   * may write such objects: the server keeps the stored ones. {@link extractOwned} needs them.
   *
   * @default true, or as the decoder's `stripManagedFields` says
   */
  readonly managedFields?: boolean | undefined;
  /**
   * Requested encoding of built-in kinds and metadata. Objects in `protobuf` are lazy: `metadata`
   * is decoded at once, other members on first access. With `fields`, only these are decoded and
   * everything else is skipped by its length. Custom resources, and other responses in JSON, are
   * read as JSON. Fields of a newer server that this version does not know are dropped, with a
   * warning; a client refuses to update such an object. The name `"protobuf"` loads the decoder on
   * Node, Deno and Bun. A program bundled for browsers imports it: `encoding: protobuf` from
   * `@listwatch/client/protobuf`. With the name, it requests lazy JSON and warns.
   *
   * @default the connection's, otherwise "json"
   */
  readonly encoding?: Encoding | undefined;
  /** Clock for the limits of lists and for pauses of large lists. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Checks of the options that collections share with all that request them. */
export const collectionsTable: OptionsOf<
  Omit<CollectionOptions, "fields" | "metadataOnly" | "resource">
> = {
  connection: anything,
  namespace: anything,
  labelSelector: aString,
  fieldSelector: aString,
  shardSelector: aString,
  listProgress: { bytes: aNumber(0), withinMs: aNumber(1) },
  onWarning: aFunction,
  decoder: having("list", "watch"),
  lazy: aBoolean,
  managedFields: aBoolean,
  encoding: anEncoding,
  clock: aClock,
};

const collectionTable: OptionsOf<CollectionOptions> & OptionTable = {
  ...collectionsTable,
  resource: anything,
  metadataOnly: aBoolean,
  fields: anything,
  // An HTTP lister-watcher passes its options on.
  watchListSupported: aBoolean,
};

const versionTable = {
  resourceVersion: aString,
  resourceVersionMatch: oneOf("NotOlderThan", "Exact"),
} satisfies OptionTable;

/** Checks of {@link ListOptions}. */
export const listTable: OptionsOf<ListOptions> = {
  ...versionTable,
  limit: aNumber(0),
  continue: aString,
};

const watchTable: OptionsOf<WatchOptions> = {
  ...versionTable,
  allowWatchBookmarks: aBoolean,
  sendInitialEvents: aBoolean,
  timeoutSeconds: aNumber(0),
};

/** Context of each request for a collection. */
export interface RequestContext {
  /** Ends the request, or the stream that it opened. */
  readonly signal: AbortSignal;
}

/** Context of a list request, or of a watch that starts with a streamed list. */
export interface ListContext<T> extends RequestContext {
  /**
   * Returns an object that is already held, so that its text need not be parsed again. May be
   * ignored.
   *
   * @default every object is parsed
   */
  readonly reuse?: ReuseFunction<T> | undefined;
}

/** A list while it arrives. `apiVersion`, `kind` and `metadata` are complete at the end of `items`. */
export interface ListStream<T> {
  /** Such as `v1`; `undefined` before the end of `items`, or if the list has none. */
  readonly apiVersion: string | undefined;
  /**
   * Kind of the list, such as `PodList`; `undefined` before the end of `items`, or if the list has
   * none.
   */
  readonly kind: string | undefined;
  /**
   * resourceVersion and token of the list; `undefined` before the end of `items`, or if the list
   * has none.
   */
  readonly metadata: ListMeta | undefined;
  /**
   * Batches in order of arrival, to be read once. An empty batch shows that the connection is
   * alive. Leaving the loop early ends the request.
   */
  readonly items: AsyncIterable<readonly T[]>;
}

/**
 * Lists and watches the objects of one resource, as streams. It does no I/O before a list or a
 * watch is requested, and retries nothing: use `Reflector` for that.
 *
 * Objects are delivered while the body is read. The event loop turns after each 8 ms of decoding.
 */
export class Collection<T = KubernetesObject> {
  readonly #options: CollectionOptions<T>;
  readonly #requester: Requester;
  readonly #clock: Clock;
  readonly #decoding: Decoding;
  /** Whether the server is asked to leave out `managedFields`. One without the feature ignores it. */
  readonly #dropsManagedFields: boolean;
  readonly #path: string;

  /** @throws {InvalidOptionsError} if no request could reach the server of the connection */
  constructor(options: CollectionOptions<T>) {
    checkOptions(options, collectionTable);
    checkResource(options.resource);
    if (options.fields !== undefined) noteProjected(apiVersionOf(options.resource));
    // A server answers an invalid one with 500, which reads like an outage.
    if (options.shardSelector) ShardSelector.parse(options.shardSelector);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#requester = new Requester(options.connection, {
      clock: this.#clock,
      onWarning: options.onWarning,
      readStatus: (body) => this.#decoding.decoder.readStatus?.(body),
    });
    this.#path = collectionPath(options.resource, options.namespace);
    const path = this.#path;
    const { decoder = jsonDecoder(), onWarning } = options;
    const warn =
      onWarning && ((text: string) => callHook(() => onWarning({ text, method: "GET", path })));
    this.#dropsManagedFields = leavesOutManagedFields(decoder, options);
    this.#decoding = new Decoding(decoder, {
      ...options,
      encoding: encodingOf(options),
      onDroppedFields: warn && ((kind) => warn(describeDropped(kind))),
      onMissingCodec: () =>
        warn === undefined ? consoleLog.warn(missingCodec, { path }) : warn(missingCodec),
    });
  }

  /**
   * Requests a list, or a page of one.
   *
   * @throws {StatusError} if the server refuses
   * @throws {NetworkError} if it cannot be reached
   */
  async list(options: ListOptions, context: ListContext<T>): Promise<ListStream<T>> {
    checkOptions(options, listTable);
    await this.#decoding.loaded();
    const progress = this.#watchProgress(context.signal);
    const { signal } = progress;
    const { body, contentType } = await progress.opened(this.#open("list", { ...options }, signal));
    const { reuse } = context;
    const decoder = this.#decoding.decoder.list<T>({ reuse, contentType });
    const items = this.#read("list", body, decoder, signal, progress);
    return {
      get apiVersion() {
        return decoder.apiVersion;
      },
      get kind() {
        return decoder.kind;
      },
      get metadata() {
        return decoder.metadata;
      },
      items,
    };
  }

  /**
   * Opens a watch. Resolves when the server has accepted it. Leaving the loop closes it.
   *
   * @throws {StatusError} if the server refuses
   * @throws {NetworkError} if it cannot be reached
   */
  async watch(
    options: WatchOptions,
    context: ListContext<T>,
  ): Promise<AsyncIterable<readonly WatchEvent<T>[]>> {
    checkOptions(options, watchTable);
    await this.#decoding.loaded();
    const { body, contentType } = await this.#open(
      "watch",
      { watch: true, ...options },
      context.signal,
    );
    const { reuse } = context;
    const decoder = this.#decoding.decoder.watch<T>({ reuse, contentType });
    return this.#read("watch", body, decoder, context.signal);
  }

  #watchProgress(signal: AbortSignal): ProgressLimit {
    const { listProgress } = this.#options;
    return new ProgressLimit(this.#clock, this.#describe("list"), signal, listProgress);
  }

  async #open(
    verb: "list" | "watch",
    parameters: QueryParameters,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { labelSelector, fieldSelector, shardSelector } = this.#options;
    const attempted = this.#describe(verb);
    const target = { method: "GET", path: this.#path } as const;
    const { body, headers, status } = await this.#requester.send({
      ...target,
      query: { labelSelector, fieldSelector, shardSelector, ...parameters },
      accept: this.#accept(verb),
      attempted,
      signal,
    });
    if (body === null) {
      const message = `${attempted}: the server answered ${status} without a body`;
      throw new StatusError({ code: status, message }, target);
    }
    if (verb === "watch" && isPage && headers.has("content-encoding")) {
      await body.cancel();
      throw new DecodeError(compressedAdvice, 0, headers.get("content-encoding") ?? "");
    }
    return { body, contentType: headers.get("content-type") ?? undefined };
  }

  #read<Item>(
    verb: "list" | "watch",
    body: ReadableStream<Uint8Array>,
    decoder: PieceDecoder<Item>,
    signal: AbortSignal,
    progress?: ProgressLimit,
  ): AsyncIterable<readonly Item[]> {
    return readBatches(body, decoder, {
      clock: this.#clock,
      signal,
      progress,
      attempted: this.#describe(verb),
      secrets: this.#requester.secrets,
    });
  }

  #describe(verb: "list" | "watch"): string {
    return `Cannot ${verb} ${this.#requester.server}${this.#path}`;
  }

  #accept(verb: "list" | "watch"): string {
    const { acceptedTypes, mediaType } = this.#decoding.decoder;
    const { metadataOnly = false, resource } = this.#options;
    const drop = this.#dropsManagedFields ? ";drop=metadata.managedFields" : "";
    const types = acceptedTypes?.({
      apiVersion: apiVersionOf(resource),
      resource: resource.resource,
      metadataOnly,
    }) ?? [mediaType];
    const kind = verb === "list" ? "PartialObjectMetadataList" : "PartialObjectMetadata";
    const view = metadataOnly ? `;as=${kind};v=v1;g=meta.k8s.io` : "";
    return types
      .map((type, index) => `${type}${view}${drop}${index > 0 ? ";q=0.9" : ""}`)
      .join(",");
  }
}

// Kubernetes 1.37 compresses a watch with initial events in many gzip members
// (`WatchListCompression`). Chromium decodes the first one, and is silent until the stream ends. A
// page cannot ask for an answer without compression.
const compressedAdvice =
  "a watch without compression, since browsers read only its first events: list first, and watch " +
  "from the resourceVersion of the list, as informers then do";

/** Whether this is a browser or a worker of one: Node, Deno and Bun have a process. */
const isPage = Reflect.get(globalThis, "process")?.versions?.node === undefined;

const missingCodec = "objects are requested as JSON: pages import @listwatch/client/protobuf";

/** A response with an unread body. */
interface Answer {
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string | undefined;
}

function encodingOf({
  connection,
  decoder,
  encoding,
}: Pick<CollectionOptions, "connection" | "decoder" | "encoding">): Encoding {
  if (encoding !== undefined) return encoding;
  // A default of the connection does not conflict with a decoder of this collection.
  return decoder !== undefined && decoder.settings === undefined
    ? "json"
    : (connection.encoding ?? "json");
}

function describeDropped(kind: string): string {
  return (
    `objects of ${kind} have fields that this version of listwatch does not know in protobuf, ` +
    "and which are dropped: ask for JSON, or update listwatch"
  );
}
