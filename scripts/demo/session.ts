import type { KubernetesObject, Cached } from "@listwatch/core-fifo";
import type { ListerWatcher, ReflectorStatus, ReflectorTrace } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import { namespaceIndex } from "@listwatch/store-indexer";
import { describeChange, describeState } from "./describe-object.ts";
import { EventFeed, type FeedEvent } from "./event-feed.ts";
import { duration } from "./live-frame.ts";
import { problemText, type Attempt } from "./problem-text.ts";
import type { ConnectionState, Notice, Snapshot } from "./snapshot.ts";

/** What is watched, and what is called with the changes. */
export interface SessionOptions {
  readonly attempt: Attempt;
  readonly listerWatcher: ListerWatcher<KubernetesObject>;
  readonly onEvent: (event: FeedEvent) => void;
  readonly onNotice: (notice: Notice) => void;
}

// A queue fills and empties between two looks at it; the peak of so many seconds is what an eye can
// read.
const peakSeconds = 5;
const keptNotices = 20;

/** One informer, and everything about it that the views show. */
export class Session {
  readonly #options: SessionOptions;
  readonly #informer: SharedInformer<KubernetesObject, { namespace: string }>;
  readonly #feed = new EventFeed();
  readonly #startedMs = Date.now();
  /** The most deltas seen in the queue, by second since 1970. */
  readonly #peaks = new Map<number, number>();
  /** Why it does not work at the moment. */
  #problem: string | undefined;
  #recoveries = 0;
  /** Newest first. */
  #notices: readonly Notice[] = [];

  constructor(options: SessionOptions) {
    const { attempt, listerWatcher } = options;
    this.#options = options;
    this.#informer = new SharedInformer<KubernetesObject, { namespace: string }>({
      name: attempt.resource,
      listerWatcher,
      indexers: namespaceIndex,
      // Called for each object on its way into the queue, which is the one moment at which the
      // queue is full.
      cache: {
        transform: (object) => {
          this.#noteQueueLength(this.#informer.status().queuedDeltas + 1);
          return object;
        },
      },
      telemetry: { onTrace: (trace) => this.#trace(trace) },
      retry: { onWatchError: (error) => this.#fail(problemText(error, attempt)) },
      onError: (error) => this.note(String(error)),
    });
    this.#informer.addEventHandler({
      onAdd: (object, isInInitialList) => {
        const state = describeState(object);
        this.#record("add", keyOf(object), isInInitialList ? `${state} (listed)` : state);
      },
      onUpdate: (old, object) => {
        this.#record("update", keyOf(object), describeChange(old, object));
      },
      onDelete: ({ key, object, stale }) => {
        const state = object === undefined ? "unknown" : describeState(object);
        this.#record("delete", key, stale ? `was ${state} (missed)` : `was ${state}`);
      },
    });
  }

  /** Runs the informer; settles when all of it has ended. */
  run(signal: AbortSignal): Promise<void> {
    return this.#informer.run(signal);
  }

  /** Looks whether the connection works again, which nothing tells. */
  sample(): void {
    const { problem, source } = this.#informer.status();
    if (this.#problem === undefined || problem !== undefined) return;
    if (source?.phase !== "watching") return;
    this.#problem = undefined;
    this.#recoveries++;
    this.note(`Recovered: watching from resourceVersion ${source.resourceVersion}`);
  }

  /** Puts a line among what happened to the connection. */
  note(text: string): void {
    const notice = { text, atMs: Date.now() };
    this.#notices = [notice, ...this.#notices].slice(0, keptNotices);
    this.#options.onNotice(notice);
  }

  snapshot(): Snapshot {
    const { attempt } = this.#options;
    const { resource, namespace, server } = attempt;
    const status = this.#informer.status();
    const { store } = this.#informer;
    const namespaces = store.listIndexFuncValues("namespace");
    return {
      title: `${resource} in ${namespace === undefined ? "all namespaces" : namespace}`,
      server,
      startedMs: this.#startedMs,
      nowMs: Date.now(),
      connection: this.#connection(status.source),
      resourceVersion: this.#informer.lastSyncResourceVersion,
      queued: status.queuedDeltas,
      queuedPeak: this.#queuePeak(),
      objects: store.size,
      objectsByNamespace: new Map(
        namespaces.map((name) => [name, store.byIndex("namespace", name).length]),
      ),
      feed: this.#feed,
      notices: this.#notices,
      recoveries: this.#recoveries,
    };
  }

  #record(kind: FeedEvent["kind"], key: string, detail: string): void {
    const event = { kind, key, detail, atMs: Date.now() };
    this.#feed.record(event);
    this.#options.onEvent(event);
  }

  #noteQueueLength(length: number): void {
    const second = Math.floor(Date.now() / 1000);
    if (length > (this.#peaks.get(second) ?? 0)) this.#peaks.set(second, length);
  }

  #queuePeak(): number {
    const oldest = Math.floor(Date.now() / 1000) - peakSeconds;
    for (const second of this.#peaks.keys()) if (second < oldest) this.#peaks.delete(second);
    return Math.max(0, ...this.#peaks.values());
  }

  /** The same problem again is not worth another line. */
  #fail(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.note(problem);
  }

  #trace(trace: ReflectorTrace): void {
    if (trace.kind === "list") {
      const { items, resourceVersion, listMs } = trace;
      this.note(
        `Listed ${items} objects at resourceVersion ${resourceVersion} in ${listMs.toFixed(0)} ms`,
      );
    } else if (trace.kind === "relist") {
      this.note(`Listing again in ${(trace.delayMs / 1000).toFixed(1)} s`);
    }
  }

  #connection(source: ReflectorStatus | undefined): ConnectionState {
    if (source === undefined) return { health: "starting", phase: "starting", detail: "" };
    const { phase, waitingUntilMs, lastEventMs } = source;
    const word = phase === "streamingList" ? "listing" : phase;
    if (this.#problem !== undefined) {
      const leftMs = (waitingUntilMs ?? 0) - Date.now();
      const next = leftMs > 0 ? `; next attempt in ${(leftMs / 1000).toFixed(1)} s` : "";
      return { health: "bad", phase: word, detail: `${this.#problem}${next}` };
    }
    const event =
      lastEventMs === undefined ? "none yet" : `${duration(Date.now() - lastEventMs)} ago`;
    const recovered = this.#recoveries === 0 ? "" : ` · recoveries ${this.#recoveries}`;
    const detail = `last event ${event}${recovered}`;
    return { health: phase === "watching" ? "good" : "starting", phase: word, detail };
  }
}

function keyOf({ metadata }: Cached<KubernetesObject>): string {
  const name = metadata?.name ?? "";
  return metadata?.namespace === undefined ? name : `${metadata.namespace}/${name}`;
}
