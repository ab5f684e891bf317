import { linkAbort, untilAborted } from "@listwatch/core-fifo/base";
import type { InformerSink, InformerSource, SourceStatus } from "@listwatch/shared-informer";
import type { Cached } from "@listwatch/core-fifo";

/** The time from a start to a stop. */
export interface SourceSession {
  /** Resolves when a whole list has reached the informer; rejects if the session ends before. */
  readonly synced: Promise<void>;
  /** Resolves when everything that the session had started has ended; rejects if it failed. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** A session that does not run yet, with the controls that end it. */
interface Pending {
  readonly stop: AbortController;
  readonly synced: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * A source that can be stopped and restarted while its informer runs and keeps cache and handlers.
 * A stopped source has no connection and no timer.
 */
export class PausableSource<T> implements InformerSource<T> {
  readonly #source: InformerSource<T>;
  #next: PromiseWithResolvers<Pending> = Promise.withResolvers();

  constructor(source: InformerSource<T>) {
    this.#source = source;
  }

  get ignoreUnknownDeletes(): boolean | undefined {
    return this.#source.ignoreUnknownDeletes;
  }

  status(): SourceStatus {
    return this.#source.status();
  }

  isSameState(old: Cached<T>, object: Cached<T>): boolean {
    return this.#source.isSameState(old, object);
  }

  /** Begins a session, which runs when the informer does. The previous one must have ended. */
  begin(): SourceSession {
    const pending: Pending = {
      stop: new AbortController(),
      synced: Promise.withResolvers<void>(),
      ended: Promise.withResolvers<void>(),
    };
    // The caller may ignore either promise.
    pending.synced.promise.catch(() => undefined);
    pending.ended.promise.catch(() => undefined);
    this.#next.resolve(pending);
    return {
      synced: pending.synced.promise,
      ended: pending.ended.promise,
      stop: () => pending.stop.abort(),
    };
  }

  async run(sink: InformerSink<T>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pending = await untilAborted(this.#next.promise, signal).catch(() => undefined);
      if (pending === undefined) return;
      this.#next = Promise.withResolvers();
      await this.#runSession(pending, sink, signal);
    }
  }

  /** Runs one session. A failure ends this session only. */
  async #runSession(
    { ended, stop, synced }: Pending,
    sink: InformerSink<T>,
    signal: AbortSignal,
  ): Promise<void> {
    const link = linkAbort(signal, stop.signal);
    try {
      await this.#source.run(noteSync(sink, synced.resolve), link.signal);
      synced.reject(new Error("Stopped before the first list was complete"));
      ended.resolve();
    } catch (error) {
      synced.reject(error);
      ended.reject(error);
    } finally {
      link.release();
    }
  }
}

/** Wraps a sink: calls `onSynced` after each complete list. */
function noteSync<T>(sink: InformerSink<T>, onSynced: () => void): InformerSink<T> {
  return {
    store: sink.store,
    get resyncCheckPeriodMs() {
      return sink.resyncCheckPeriodMs;
    },
    report: sink.report,
    apply: (deltas, isInInitialList, resourceVersion) =>
      sink.apply(deltas, isInInitialList, resourceVersion),
    markSynced: () => {
      sink.markSynced();
      onSynced();
    },
    waitForRoom: () => sink.waitForRoom(),
    shouldResync: () => sink.shouldResync(),
  };
}
