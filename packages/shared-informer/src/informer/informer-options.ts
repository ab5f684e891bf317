import type { Clock } from "@listwatch/core-fifo";
import type { Indexer, IndexerOptions, IndexValues, ListerOptions } from "@listwatch/store-indexer";
import type { Notification } from "../cache/informer-event.ts";
import type { SlowHandlerReport } from "../delivery/processor-listener.ts";

/** The cache of an informer: an indexer that only the informer writes. */
export type InformerStore<T, I extends IndexValues> = Omit<
  Indexer<T, I>,
  | "add"
  | "addIndexers"
  | "bookmark"
  | "delete"
  | "keyed"
  | "replace"
  | "resync"
  | "transaction"
  | "update"
>;

/** Where an error that an informer reports comes from. */
export type ErrorOrigin<T> =
  /** A callback threw or rejected; the notification counts as processed. */
  | {
      readonly kind: "handler";
      readonly handler: string;
      readonly notification: Notification<T>;
    }
  /** A change could not be applied to the cache, or an object of a list had no key; it was left out. */
  | { readonly kind: "cache" }
  /** A list or watch failed; it will be tried again. */
  | { readonly kind: "watch" }
  /** A metric threw; its value is lost. */
  | { readonly kind: "metrics" };

/** Options of every {@link Informer}. */
export interface InformerOptions<T, I extends IndexValues> extends Pick<
  IndexerOptions<T, I>,
  "freeze" | "indexers"
> {
  /** Name for reports, metrics and waits. @default "informer" */
  readonly name?: string | undefined;
  /** The resource, for errors of the lister. @default the informer's name */
  readonly resource?: ListerOptions | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * How often handlers that do not say otherwise see every object again, in ms; 0 means that this
   * informer never resyncs.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
  /**
   * Whether an object that was deleted and created anew unnoticed is told as such: a delete of
   * unknown final state and an add. Otherwise it is an update whose objects have different uids, as
   * in client-go (GEN-3).
   *
   * @default false
   */
  readonly detectRecreate?: boolean | undefined;
  /**
   * Told of everything that goes wrong and is got over. Must not throw: the informer goes on, but
   * what is thrown here reaches the runtime as an uncaught error, which ends a Node program that
   * has no `uncaughtException` listener.
   */
  readonly onError?: ((error: unknown, origin: ErrorOrigin<T>) => void) | undefined;
  /**
   * Told of callbacks of more than 100 ms while more than 1024 notifications wait for the same
   * handler (SI-26). Must not throw, see `onError`.
   */
  readonly onSlowHandler?: ((report: SlowHandlerReport) => void) | undefined;
}

/** `stopping` lasts until the callbacks in progress have returned. */
export type InformerPhase = "created" | "running" | "stopping" | "stopped";

/** Options of waits. */
export interface WaitOptions {
  /** Ends the wait; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How a handler keeps up. */
export interface HandlerStatus {
  readonly name: string;
  /** Notifications that wait. */
  readonly backlog: number;
}
