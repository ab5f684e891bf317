import { Informer, namespaceIndex, ReflectorSource } from "listwatch";
import type { Clock, Connection, KubernetesObject, ReflectorTrace } from "listwatch";
import { seededRandom } from "listwatch/testing";
import { errorMessage, type DemoArguments } from "./arguments.ts";
import { catchUp, compareWithServer, type Source } from "./comparison.ts";
import { Connections } from "./connections.ts";
import { EventFeed, type ObjectEvent } from "./event-feed.ts";
import { DemoHandler } from "./handler.ts";
import { discoveringSource } from "./source.ts";
import { describeProblem, formatAge, formatCount, formatSeconds } from "./words.ts";

interface SessionOptions {
  readonly command: DemoArguments;
  readonly connection: Connection;
  readonly clock: Clock;
  /** Ends the demo. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: ObjectEvent) => void;
  readonly onNotice: (notice: Notice) => void;
}

/** A line about the connection or a fault. */
export interface Notice {
  readonly text: string;
  readonly tone: "plain" | "proof" | "failure";
  readonly atMs: number;
}

const keptNotices = 20;

/** One informer with its handlers, and the record of its outages and proofs. */
export class Session {
  /** `pods in all namespaces`. */
  readonly title: string;
  readonly server: string;
  /** Whether the demo has its own cluster. */
  readonly isOwn: boolean;
  /** Whether new pods are among the watched objects. */
  readonly seesPods: boolean;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly startedMs: number;
  readonly connections: Connections;
  readonly informer: Informer<KubernetesObject, { namespace: string }>;
  readonly screen: DemoHandler;
  readonly metrics: DemoHandler;
  readonly audit: DemoHandler;
  readonly feed: EventFeed = new EventFeed();
  /** The faults that are on, by key: `latency 800 ms`. */
  readonly faults = new Map<string, () => string>();
  /** Newest first. */
  notices: readonly Notice[] = [];
  recoveries = 0;
  /** Since when list and watch fail, and why. */
  outage: { sinceMs: number; lastMs: number; eventsBefore: number; problem: string } | undefined;
  /** The longest queue so far. It is full for milliseconds, which no eye could see. */
  queuePeak = 0;
  isReady = false;
  /** Resolved when the server has accepted the first watch. */
  readonly ready = Promise.withResolvers<void>();
  readonly #onNotice: (notice: Notice) => void;
  /** Lists the server without the faults. */
  readonly #source: Source;
  /** Aborts the proof of the last recovery. */
  #proof = new AbortController();

  constructor(options: SessionOptions) {
    const { clock, command, connection, onEvent, signal } = options;
    const { isReal, namespace, resource, seed } = command;
    this.#onNotice = options.onNotice;
    this.#source = discoveringSource(connection, command, clock);
    this.title = `${resource} in ${namespace ?? "all namespaces"}`;
    this.server = connection.server;
    this.isOwn = !isReal;
    this.seesPods = namespace === undefined && /^(po|pods?)$/i.test(resource);
    this.clock = clock;
    this.random = seededRandom(seed);
    this.signal = signal;
    this.startedMs = clock.now();
    this.connections = new Connections(connection.fetch, clock);
    const { fetch } = this.connections;
    const watched = new ReflectorSource({
      name: resource,
      listerWatcher: discoveringSource({ ...connection, fetch }, command, clock),
      clock,
      // Called before each object enters the queue: the only moment at which the queue is full.
      cache: {
        transform: (object) => {
          this.queuePeak = Math.max(this.queuePeak, this.informer.status().queuedDeltas + 1);
          return object;
        },
      },
      telemetry: { onTrace: (trace) => this.#trace(trace) },
    });
    this.informer = new Informer<KubernetesObject, { namespace: string }>(watched, {
      name: resource,
      indexers: namespaceIndex,
      clock,
      onError: (error, { kind }) => {
        if (kind === "watch") this.#fail(error);
        else this.note(String(error), "failure");
      },
    });
    this.screen = new DemoHandler("screen", this, (event) => {
      this.feed.record(event);
      onEvent(event);
    });
    this.metrics = new DemoHandler("metrics", this);
    this.audit = new DemoHandler("audit", this);
  }

  /** Checks whether the connection works; called often, because no hook reports it. */
  look(): void {
    const { problem, source } = this.informer.status();
    const { lastWatchMs } = source ?? {};
    const outage = this.outage;
    if (source?.phase !== "watching" || problem !== undefined) return;
    // Only a watch that is younger than the last failure counts.
    if (lastWatchMs === undefined || lastWatchMs < (outage?.lastMs ?? 0)) return;
    const word = this.isReady ? "reconnected" : "connected";
    if (!this.isReady) this.note(`Watching ${this.informer.name} at ${this.server}`);
    this.isReady = true;
    this.ready.resolve();
    if (outage === undefined) return;
    this.outage = undefined;
    this.recoveries++;
    const took = formatSeconds(lastWatchMs - outage.sinceMs);
    this.#proof = new AbortController();
    void this.prove(() => {
      const changes = formatCount(this.feed.total - outage.eventsBefore, "change");
      return [true, `${word} after ${took} · ${changes} caught up`];
    }, this.#proof.signal);
  }

  note(text: string, tone: Notice["tone"] = "plain"): void {
    const mark = { plain: "", proof: "✓ ", failure: "✗ " }[tone];
    const notice = { text: `${mark}${text}`, tone, atMs: this.clock.now() };
    this.notices = [notice, ...this.notices].slice(0, keptNotices);
    this.#onNotice(notice);
  }

  /** Waits until the cache has what the server has now; resolves with that version. */
  catchUp(signal = this.signal): Promise<string> {
    const { clock, informer } = this;
    return catchUp({ informer, source: this.#source, clock, signal });
  }

  /** Compares cache and server, and notes the result with a claim about the cache of then. */
  async prove(claim: () => readonly [boolean, string], until = this.signal): Promise<void> {
    const { clock, informer } = this;
    const signal = AbortSignal.any([this.signal, until]);
    const sides = { informer, source: this.#source, clock, signal };
    try {
      const newest = await this.catchUp(signal);
      const [isTrue, statement] = claim();
      const { isEqual, text } = await compareWithServer(sides, newest);
      // A narrow terminal cuts the end of a line, so that a failure comes first.
      const all = isEqual ? `${statement} · ${text}` : `${text} · ${statement}`;
      this.note(all, isTrue && isEqual ? "proof" : "failure");
    } catch (error) {
      if (!signal.aborted) this.note(`not compared: ${errorMessage(error)}`, "failure");
    }
  }

  /** The activity of the reflector, in one word. */
  get phase(): string {
    const { phase } = this.informer.status().source ?? { phase: "starting" };
    if (phase === "streamingList") return "listing";
    const isWorking = this.isReady && this.outage === undefined;
    return phase === "watching" && !isWorking ? "connecting" : phase;
  }

  /** The last event, or the problem and the time of the next attempt. */
  get detail(): string {
    const { lastEventMs, waitingUntilMs = 0 } = this.informer.status().source ?? {};
    const nowMs = this.clock.now();
    if (this.outage !== undefined) {
      const leftMs = waitingUntilMs - nowMs;
      const next = leftMs > 0 ? `; next attempt in ${formatSeconds(leftMs)}` : "";
      return `${this.outage.problem}${next}`;
    }
    const event = lastEventMs === undefined ? "none yet" : `${formatAge(nowMs - lastEventMs)} ago`;
    const recoveries = this.recoveries === 0 ? "" : ` · recoveries ${this.recoveries}`;
    return `last event ${event}${recoveries}`;
  }

  /** The numbers of objects by namespace, sorted by its name. */
  get namespaces(): readonly (readonly [name: string, objects: number])[] {
    const { store } = this.informer;
    const names = store.listIndexFuncValues("namespace").toSorted();
    return names.map((name) => [name || "(cluster)", store.byIndex("namespace", name).length]);
  }

  #fail(error: unknown): void {
    this.#proof.abort();
    const lastMs = this.clock.now();
    const problem = describeProblem(error, this.server);
    // The same problem again is not worth another line.
    if (problem !== this.outage?.problem) this.note(problem);
    const first = this.outage ?? { sinceMs: lastMs, eventsBefore: this.feed.total };
    this.outage = { ...first, lastMs, problem };
  }

  #trace(trace: ReflectorTrace): void {
    if (trace.kind === "relist") this.note(`Listing again in ${formatSeconds(trace.delayMs)}`);
    if (trace.kind !== "list") return;
    const { items, listMs, resourceVersion } = trace;
    const took = `${listMs.toFixed(0)} ms`;
    this.note(`Listed ${items} objects at resourceVersion ${resourceVersion} in ${took}`);
  }
}
