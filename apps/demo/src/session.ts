import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher, ReflectorStatus, ReflectorTrace } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import { namespaceIndex } from "@listwatch/store-indexer";
import { checkCache } from "./cache-check.ts";
import { EventFeed, type FeedEvent } from "./event-feed.ts";
import { Mailboxes } from "./mailboxes.ts";
import { duration, formatCount, formatSeconds } from "./plain-text.ts";
import { problemText, type Attempt } from "./problem-text.ts";
import { Recoveries, type Recovery } from "./recoveries.ts";
import type { ConnectionState, Notice, Snapshot } from "./snapshot.ts";

/** What is watched, and what is called with the changes. */
export interface SessionOptions {
  readonly attempt: Attempt;
  readonly listerWatcher: ListerWatcher<KubernetesObject>;
  /** Asks the server for what the cache is compared with, past the faults of the connection. */
  readonly directListerWatcher: ListerWatcher<KubernetesObject>;
  readonly onEvent: (event: FeedEvent, resourceVersion: string) => void;
  readonly onNotice: (notice: Notice) => void;
}

// A queue fills and empties between two looks at it; the peak of so many seconds is what an eye can
// read.
const peakSeconds = 5;
const keptNotices = 20;

/** One informer, and everything about it that the views show. */
export class Session {
  readonly mailboxes: Mailboxes;
  readonly feed: EventFeed = new EventFeed();
  readonly #options: SessionOptions;
  readonly #informer: SharedInformer<KubernetesObject, { namespace: string }>;
  readonly #startedMs = Date.now();
  readonly #recoveries = new Recoveries();
  /** The faults that are on, by name. */
  readonly #faults = new Map<string, string>();
  /** The most deltas seen in the queue, by second since 1970. */
  readonly #peaks = new Map<number, number>();
  #signal: AbortSignal = AbortSignal.abort();
  /** Ends the proof of the last recovery, when the connection breaks again. */
  #proof = new AbortController();
  /** Newest first. */
  #notices: readonly Notice[] = [];

  constructor(options: SessionOptions) {
    const { attempt, listerWatcher, onEvent } = options;
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
      onError: (error) => this.note(String(error), "failure"),
    });
    this.mailboxes = new Mailboxes(this.#informer, (event, resourceVersion) => {
      this.feed.record(event);
      onEvent(event, resourceVersion);
    });
  }

  /** Runs the informer; settles when all of it has ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.note(`Connecting to ${this.#options.attempt.server}`);
    await this.#informer.run(signal);
  }

  /** Whether the server has ever shown the objects. */
  get hasListed(): boolean {
    return this.#informer.hasSynced;
  }

  /** Why it does not work at the moment. */
  get problem(): string | undefined {
    return this.#recoveries.problem;
  }

  /** Looks whether the connection works, which no hook tells. */
  sample(): void {
    const status = this.#informer.status();
    const hadWorked = this.#recoveries.hasWorked;
    const recovery = this.#recoveries.look(status);
    if (!hadWorked && this.#recoveries.hasWorked) {
      const { resource, server } = this.#options.attempt;
      this.note(`Watching ${resource} at ${server}`);
    }
    if (recovery !== undefined) void this.#proveRecovery(recovery);
  }

  /** Puts a line among what happened. */
  note(text: string, tone: Notice["tone"] = "plain"): void {
    const mark = { plain: "", proof: "✓ ", failure: "✗ " }[tone];
    const notice = { text: `${mark}${text}`, tone, atMs: Date.now() };
    this.#notices = [notice, ...this.#notices].slice(0, keptNotices);
    this.#options.onNotice(notice);
  }

  /** Shows that a fault is on, until it is set to `undefined`. */
  setFault(name: string, text: string | undefined): void {
    if (text === undefined) this.#faults.delete(name);
    else this.#faults.set(name, text);
  }

  /**
   * Compares the cache with the server, and notes the result behind a claim.
   *
   * @param claim is asked when the cache has what the server had at the call
   */
  async prove(claim: () => Claim, signal: AbortSignal = this.#signal): Promise<void> {
    let claimed: Claim = { isTrue: false, text: "" };
    const check = await checkCache({
      informer: this.#informer,
      listerWatcher: this.#options.directListerWatcher,
      signal,
      onCaughtUp: () => {
        claimed = claim();
      },
    }).catch(() => undefined);
    // Aborted: the program ends, or another fault makes this proof void.
    if (check === undefined) return;
    // What is wrong stands where a narrow terminal shows it.
    const { isEqual, text } = check;
    const texts = isEqual ? [claimed.text, text] : [text, claimed.text];
    const all = texts.filter((part) => part !== "").join(" · ");
    this.note(all, claimed.isTrue && isEqual ? "proof" : "failure");
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
      feed: this.feed,
      mailboxes: this.mailboxes.states,
      faults: [...this.#faults.values()],
      notices: this.#notices,
      recoveries: this.#recoveries.count,
    };
  }

  async #proveRecovery({ eventsBefore, hadWorked, tookMs }: Recovery): Promise<void> {
    this.#proof.abort();
    this.#proof = new AbortController();
    const signal = AbortSignal.any([this.#signal, this.#proof.signal]);
    await this.prove(() => {
      const changes = formatCount(this.feed.total - eventsBefore, "change");
      const word = hadWorked ? "reconnected" : "connected";
      return {
        isTrue: true,
        text: `${word} after ${formatSeconds(tookMs)} · ${changes} caught up`,
      };
    }, signal);
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
    this.#proof.abort();
    if (this.#recoveries.noteFailure(problem, this.feed.total)) this.note(problem);
  }

  #trace(trace: ReflectorTrace): void {
    if (trace.kind === "list") {
      const { items, resourceVersion, listMs } = trace;
      this.note(
        `Listed ${items} objects at resourceVersion ${resourceVersion} in ${listMs.toFixed(0)} ms`,
      );
    } else if (trace.kind === "relist") {
      this.note(`Listing again in ${formatSeconds(trace.delayMs)}`);
    }
  }

  #connection(source: ReflectorStatus | undefined): ConnectionState {
    if (source === undefined) return { health: "starting", phase: "starting", detail: "" };
    const { count: recovered, isWorking, problem } = this.#recoveries;
    const phase = phaseWord(source, isWorking);
    if (problem !== undefined) {
      const leftMs = (source.waitingUntilMs ?? 0) - Date.now();
      const next = leftMs > 0 ? `; next attempt in ${formatSeconds(leftMs)}` : "";
      return { health: "bad", phase, detail: `${problem}${next}` };
    }
    const { lastEventMs } = source;
    const event =
      lastEventMs === undefined ? "none yet" : `${duration(Date.now() - lastEventMs)} ago`;
    const recoveries = recovered === 0 ? "" : ` · recoveries ${recovered}`;
    const detail = `last event ${event}${recoveries}`;
    return { health: isWorking && phase === "watching" ? "good" : "starting", phase, detail };
  }
}

/** What a proof says besides that the cache equals the server. */
export interface Claim {
  readonly isTrue: boolean;
  readonly text: string;
}

/** What the reflector does, in one word; "watching" is for when the server has accepted it. */
function phaseWord({ phase }: ReflectorStatus, isWorking: boolean): string {
  if (phase === "streamingList") return "listing";
  return phase === "watching" && !isWorking ? "connecting" : phase;
}
