import type { FieldPath } from "@listwatch/client";
import {
  aClock,
  aFunction,
  aLog,
  aNumber,
  anInteger,
  anObject,
  createInvalidOptionError,
  type Cached,
  type Clock,
  type Log,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { Listener } from "@listwatch/shared-informer";
import type { Grant } from "../access/grant.ts";
import type { StreamedInformer } from "../log/collection-log.ts";

/** The informers of a handler, by the names of their collections. */
export type StreamedInformers = Readonly<Record<string, StreamedInformer>>;

/** Type of the objects of an informer. */
export type ObjectOf<N> = N extends { addListener(listener: Listener<infer T>): void } ? T : never;

/** Options of {@link toEventStream}. */
export interface EventStreamOptions<C extends StreamedInformers> {
  /**
   * Called with the request of a page and the name of a collection: when a stream begins or is
   * resumed, and again every `authorizeMs`. Returns what the page may see: `true` for everything,
   * `false` for nothing, or the namespaces of the objects.
   *
   * There is no default: informers see with the account of the server. If it throws, rejects, or
   * takes longer than `authorizeLimitMs`, nothing of the collection is sent until it answers.
   */
  readonly authorize: (request: Request, collection: keyof C & string) => Grant | Promise<Grant>;
  /**
   * Selects objects in addition to the grant, by the name of the collection. It must only depend on
   * the object, and on parts of the request that `identify` returns. An object for which it throws
   * is not sent.
   *
   * @default all objects
   */
  readonly filter?:
    | {
        readonly [Name in keyof C]?:
          | ((object: Cached<ObjectOf<C[Name]>>, request: Request) => boolean)
          | undefined;
      }
    | undefined;
  /**
   * Called with the request of a page and the name of a collection after each grant. Returns the
   * paths of the members to send, such as `status.phase`, or `undefined` for all. Objects always
   * have their identity: apiVersion, kind, and of the metadata name, namespace, uid and
   * resourceVersion. If it throws or returns something else, nothing of the collection is sent.
   *
   * @default whole objects
   */
  readonly fields?:
    | ((request: Request, collection: keyof C & string) => readonly FieldPath[] | undefined)
    | undefined;
  /**
   * Called with the request of a page. Returns a string that differs for two users, and with all
   * that a `filter` reads of the request. A page whose string has changed gets fresh lists, so that
   * it keeps no objects of the user before.
   *
   * @default the query, and all headers whose names suggest a user, such as `authorization`,
   *   `cookie`, `x-forwarded-user`, `x-auth-request-email`, `remote-groups` or `x-team`
   */
  readonly identify?: ((request: Request) => string) | undefined;
  /** Time between two questions about a grant, in milliseconds. @default 60000 */
  readonly authorizeMs?: number | undefined;
  /** Greatest duration of an answer about a grant, in milliseconds. @default 10000 */
  readonly authorizeLimitMs?: number | undefined;
  /** Time between two heartbeats, in milliseconds. @default 15000 */
  readonly heartbeatMs?: number | undefined;
  /**
   * Number of changes of each collection from which a page can resume. Each keeps the state before
   * the change in memory.
   *
   * @default 4096
   */
  readonly maxLog?: number | undefined;
  /**
   * Number of bytes that wait for a page until changes are coalesced. One message may exceed it.
   *
   * @default 65536
   */
  readonly bufferBytes?: number | undefined;
  /** Greatest number of streams. Further pages get the status 503. @default 20000 */
  readonly maxStreams?: number | undefined;
  /** Clock of heartbeats and questions. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Receives failures of `authorize` and `filter`, and those of objects that cannot be sent.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
}

/** Checks of {@link EventStreamOptions}. */
export const eventStreamTable: OptionsOf<EventStreamOptions<StreamedInformers>> = {
  authorize: aFunction,
  filter: anObject,
  fields: aFunction,
  identify: aFunction,
  authorizeMs: aNumber(1),
  authorizeLimitMs: aNumber(1),
  heartbeatMs: aNumber(10),
  maxLog: anInteger(0),
  bufferBytes: anInteger(1),
  maxStreams: anInteger(1),
  clock: aClock,
  log: aLog,
};

/**
 * Checks the option `filter`, without which pages would get every object.
 *
 * @throws {InvalidOptionsError} if a filter is not a function, or belongs to no informer
 */
export function checkFilters(filters: object, informers: object): void {
  for (const [name, filter] of Object.entries(filters)) {
    if (!Object.hasOwn(informers, name)) {
      throw createInvalidOptionError("filter", "an object with names of the informers", name);
    }
    const expected = filter === undefined ? undefined : aFunction(filter);
    if (expected !== undefined) throw createInvalidOptionError(`filter.${name}`, expected, filter);
  }
}
