import { systemClock, type Clock } from "@listwatch/core-fifo/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { StatusError } from "../errors/status-error.ts";
import { readBatches, type PieceDecoder } from "../http/body.ts";
import type { Connection } from "../http/connection.ts";
import { Requester, type QueryParameters } from "../http/request.ts";
import type { Decoder, ReuseFunction } from "../json/decoder.ts";
import { jsonDecoder } from "../json/json-decoder.ts";
import type { ListMeta, ListOptions, WatchEvent, WatchOptions } from "../resource/list-watch.ts";
import { collectionPath } from "../resource/paths.ts";
import type { ResourceReference } from "../resource/resource.ts";

/** Argument of {@link Collection}: which objects, in which form. */
export interface CollectionOptions<T = KubernetesObject> {
  readonly connection: Connection;
  readonly resource: ResourceReference<T>;
  /** @default all namespaces, or a cluster-scoped resource */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /**
   * Part of the collection, by hash range (KEP-5866). A server without the feature sends
   * everything.
   */
  readonly shardSelector?: string | undefined;
  /**
   * Whether to ask for the metadata of the objects only (PartialObjectMetadata).
   *
   * @default false
   */
  readonly metadataOnly?: boolean | undefined;
  /** @default jsonDecoder() */
  readonly decoder?: Decoder | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/** What accompanies each request for a collection. */
export interface RequestContext {
  /** Ends the request, or the stream that it opened. */
  readonly signal: AbortSignal;
}

/** What accompanies a list request. */
export interface ListContext<T> extends RequestContext {
  /**
   * Finds an object that is already held, so that its text need not be parsed again. May be
   * ignored.
   */
  readonly reuse?: ReuseFunction<T> | undefined;
}

/** A list that arrives. `apiVersion`, `kind` and `metadata` are complete at the end of `items`. */
export interface ListStream<T> {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
  /**
   * Batches in the order of arrival, to be read once. An empty batch shows that the connection is
   * alive. Leaving the iteration early ends the request.
   */
  readonly items: AsyncIterable<readonly T[]>;
}

/**
 * Lists and watches the objects of one resource, as streams. It does no I/O until a list or a watch
 * is asked for, and retries nothing: see `Reflector` for that.
 *
 * Objects arrive while the body is read; between 8 ms of decoding the event loop turns.
 */
export class Collection<T = KubernetesObject> {
  readonly #options: CollectionOptions<T>;
  readonly #requester: Requester;
  readonly #clock: Clock;
  readonly #decoder: Decoder;
  readonly #path: string;

  /** @throws {InvalidOptionsError} if no request could reach the server of the connection */
  constructor(options: CollectionOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#requester = new Requester(options.connection, this.#clock);
    this.#decoder = options.decoder ?? jsonDecoder();
    this.#path = collectionPath(options.resource, options.namespace);
  }

  /**
   * Asks for a list, or a page of one.
   *
   * @throws {StatusError} if the server refuses
   * @throws {NetworkError} if it cannot be reached
   */
  async list(options: ListOptions, context: ListContext<T>): Promise<ListStream<T>> {
    const body = await this.#open("list", { ...options }, context.signal);
    const decoder = this.#decoder.list<T>({ reuse: context.reuse });
    const items = this.#read("list", body, decoder, context.signal);
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
   * Opens a watch; resolves when the server has accepted it. Leaving the iteration closes it.
   *
   * @throws {StatusError} if the server refuses
   * @throws {NetworkError} if it cannot be reached
   */
  async watch(
    options: WatchOptions,
    context: RequestContext,
  ): Promise<AsyncIterable<readonly WatchEvent<T>[]>> {
    const body = await this.#open("watch", { watch: true, ...options }, context.signal);
    return this.#read("watch", body, this.#decoder.watch<T>(), context.signal);
  }

  async #open(
    verb: "list" | "watch",
    parameters: QueryParameters,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const { labelSelector, fieldSelector, shardSelector } = this.#options;
    const attempted = this.#describe(verb);
    const { body, status } = await this.#requester.send({
      method: "GET",
      path: this.#path,
      query: { labelSelector, fieldSelector, shardSelector, ...parameters },
      accept: this.#accept(verb),
      attempted,
      signal,
    });
    if (body === null) {
      const message = `${attempted}: the server answered ${status} without a body`;
      throw new StatusError({ code: status, message });
    }
    return body;
  }

  #read<Item>(
    verb: "list" | "watch",
    body: ReadableStream<Uint8Array>,
    decoder: PieceDecoder<Item>,
    signal: AbortSignal,
  ): AsyncIterable<readonly Item[]> {
    return readBatches(body, decoder, {
      clock: this.#clock,
      signal,
      attempted: this.#describe(verb),
    });
  }

  #describe(verb: "list" | "watch"): string {
    return `Cannot ${verb} ${this.#requester.server}${this.#path}`;
  }

  #accept(verb: "list" | "watch"): string {
    const { mediaType } = this.#decoder;
    if (this.#options.metadataOnly !== true) return mediaType;
    const kind = verb === "list" ? "PartialObjectMetadataList" : "PartialObjectMetadata";
    return `${mediaType};as=${kind};v=v1;g=meta.k8s.io`;
  }
}
