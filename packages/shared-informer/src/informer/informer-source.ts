import type { Deltas, Cached } from "@listwatch/core-fifo";
import type { WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import type { ReportError } from "./informer-options.ts";
import type { SourceStatus } from "./informer-status.ts";

/**
 * Where a source writes: the cache of an informer and, behind it, the mailboxes of its handlers. It
 * outlives a run of the source: a source that is run again writes to the same cache.
 */
export interface InformerSink<T> {
  /** What is in the cache. */
  readonly store: SinkStore<T>;
  /** How often the source has to check whether a resync is due, in milliseconds; 0 means never. */
  readonly resyncCheckPeriodMs: number;
  /** Reports an error that the source recovers from; never throws. */
  readonly report: ReportError<T>;
  /**
   * Applies deltas to the cache and puts the changes in the mailboxes; what cannot be applied is
   * reported and left out. Synchronous, but for a list of more than 1000 objects.
   *
   * @param resourceVersion up to which the cache is complete then, if the last object does not say
   */
  apply(
    deltas: Deltas<T>,
    isInInitialList: boolean,
    resourceVersion?: string,
  ): Promise<void> | undefined;
  /** Notes that the first list is in the cache. */
  markSynced(): void;
  /** Pending while a handler or reader wants the source to wait, `undefined` while none does. */
  waitForRoom(): Promise<void> | undefined;
  /**
   * Marks the handlers for which a resync is due; returns whether there are any. While a handler
   * with a limited backlog lags there are none: it would never catch up.
   */
  shouldResync(): boolean;
}

/** What a source can read of the cache. */
export interface SinkStore<T> {
  getByKey(key: string): Cached<T> | undefined;
  listKeys(): string[];
}

/** What keeps the cache of an informer up to date: a list and watch, or other informers. */
export interface InformerSource<T> {
  /**
   * Writes to the sink until the abort; resolves when everything it started has ended. Can be
   * called again then, with the same sink.
   */
  run(sink: InformerSink<T>, signal: AbortSignal): Promise<void>;
  /** The present state of the source. */
  status(): SourceStatus;
  /** Whether an update from one state to the other delivers nothing new. */
  isSameState(old: Cached<T>, object: Cached<T>): boolean;
  /**
   * Whether the deletion of an object that the cache does not have is no event, because the source
   * may have left the object out.
   */
  readonly ignoreUnknownDeletes?: boolean | undefined;
  /** Returns what it does before it has synced, for the reader of an error. */
  describeActivity?(): string | undefined;
  /** How far the cache is complete, where the resourceVersions in it do not say so. */
  readonly progress?: SourceProgress | undefined;
}

/** How far a source has brought the cache. */
export interface SourceProgress {
  /** The resourceVersion up to which the cache is complete; `""` if it is unknown. */
  readonly resourceVersion: string;
  /** Resolves when the cache is complete up to this resourceVersion. */
  waitForResourceVersion(resourceVersion: string, options: WaitOptions): Promise<void>;
}
