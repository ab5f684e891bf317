import type { Deltas, Cached } from "@listwatch/core-fifo";
import type { ResyncOptions } from "../delivery/shared-processor.ts";
import type { WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import type { ReportError } from "./informer-options.ts";
import type { SourceStatus } from "./informer-status.ts";
import type { InformerWrites } from "./informer-writes.ts";
import type { OwnWritesCache } from "./own-writes.ts";

/**
 * The destination of a source: the cache of an informer and the mailboxes of its handlers. A second
 * run of the source writes to the same cache.
 */
export interface InformerSink<T> {
  /** Content of the cache, which the source reads to compare. */
  readonly store: SinkStore<T>;
  /** Period of the checks whether a resync is due, in milliseconds. 0 means never. */
  readonly resyncCheckPeriodMs: number;
  /** Reports an error that the source recovers from. Never throws. */
  readonly report: ReportError<T>;
  /**
   * Applies deltas to the cache and puts the changes into the mailboxes. Reports and skips deltas
   * that cannot be applied. Synchronous, except for a list of more than 1000 objects.
   *
   * @param resourceVersion up to which the cache is complete then, if the last object does not
   *   contain it
   */
  apply(
    deltas: Deltas<T>,
    isInInitialList: boolean,
    resourceVersion?: string,
  ): Promise<void> | undefined;
  /** Records that the server has another history than the one that the cache shows. */
  noteOtherHistory?(): void;
  /** Records that the first list is in the cache. */
  markSynced(): void;
  /** Pending while a handler or reader requests the source to wait, otherwise `undefined`. */
  waitForRoom(): Promise<void> | undefined;
  /**
   * Marks the handlers for which a resync is due. Returns whether there are any; never while a
   * handler with a limited backlog lags, which would not catch up. A handler for which updates of
   * the last resync wait is left out.
   */
  shouldResync(options?: ResyncOptions): boolean;
}

/** Read access of a source to the cache. */
export interface SinkStore<T> {
  /** Returns the cached object with this key; `undefined` if there is none. */
  getByKey(key: string): Cached<T> | undefined;
  /** Returns the keys of all cached objects. */
  listKeys(): string[];
}

/** Keeps the cache of an informer up to date: a list and watch, or other informers. */
export interface InformerSource<T> {
  /**
   * Writes to the sink until the abort. Resolves when all its work has ended; it can be called
   * again then, with the same sink.
   */
  run(sink: InformerSink<T>, signal: AbortSignal): Promise<void>;
  /** The current state of the source. */
  status(): SourceStatus;
  /** Whether an update between these states has nothing to deliver. */
  isSameState(old: Cached<T>, object: Cached<T>): boolean;
  /**
   * Whether a listed object is the held one, read again. The cache then keeps the held one. Without
   * this method it contains what was listed.
   */
  readonly isSameContent?: ((held: Cached<T>, object: T) => boolean) | undefined;
  /**
   * Whether to ignore deletions of objects that are not in the cache, because the source may have
   * skipped them.
   */
  readonly ignoreUnknownDeletes?: boolean | undefined;
  /**
   * Creates the notes of `Informer.noteWrite`, with a function that tells what the cache will
   * contain of a write. Without this method writes are not noted, and a bundle has no code for
   * them.
   */
  createWrites?(cache: OwnWritesCache<T>): InformerWrites<T>;
  /** Returns the activity before the first sync, for error messages. */
  describeActivity?(): string | undefined;
  /** Default of `cache.detectRecreate`. @default true */
  readonly detectRecreate?: boolean | undefined;
  /** Completeness of the cache, if its resourceVersions do not determine it. */
  readonly progress?: SourceProgress | undefined;
}

/** Completeness of the cache. */
export interface SourceProgress {
  /** The resourceVersion up to which the cache is complete; `""` if it is unknown. */
  readonly resourceVersion: string;
  /** Resolves when the cache is complete up to this resourceVersion. */
  waitForResourceVersion(resourceVersion: string, options: WaitOptions): Promise<void>;
}
