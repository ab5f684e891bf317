import {
  systemClock,
  type Clock,
  type KubernetesObject,
  type Log,
  type Random,
} from "@listwatch/core-fifo";
import {
  systemRandom,
  metadataOf,
  provideDispose,
  aClock,
  aFunction,
  aLog,
  aString,
  having,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { type Client, type ResourceReference } from "@listwatch/client";
import { onAborted } from "@listwatch/core-fifo/base";
import { WorkQueue } from "@listwatch/workqueue";
import { Failures } from "../lifecycle/failures.ts";
import { SingleRun } from "../lifecycle/single-run.ts";
import { setRecent, SimilarEvents, SpamFilter } from "./event-correlator.ts";
import { eventNameFor, EventWriter } from "./event-writer.ts";
import { EventSeries, type EventObject, type ObjectReference } from "./event-series.ts";

provideDispose();

const events: ResourceReference = { group: "events.k8s.io", version: "v1", resource: "events" };

/** client-go, tools/events/event_broadcaster.go. */
const maxWaiting = 1000;
const workers = 8;
/** client-go `EventAggregatorByReasonMessageFunc`, tools/record/events_cache.go. */
const combinedPrefix = "(combined from similar events): ";
/** Time without a repeat after which a series ends and its last count is written. */
const finishMs = 6 * 60_000;
/** Time between two writes of a continuing series. */
const refreshMs = 30 * 60_000;

/** Content of an event. */
export interface EventNote {
  /** Object that the event is about. */
  readonly regarding: KubernetesObject;
  /** Severity of the event, as `kubectl get events` shows it. @default "Normal" */
  readonly type?: "Normal" | "Warning" | undefined;
  /** Reason, as one CamelCase word: `ScaledUp`. */
  readonly reason: string;
  /** Action that was taken, as one CamelCase word: `CreatePod`. */
  readonly action: string;
  /** Sentence for people. Cut at 1 KiB. @default none */
  readonly note?: string | undefined;
  /** Annotations of the event. A series keeps those of its first event. @default none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Another object involved. @default none */
  readonly related?: KubernetesObject | undefined;
}

/** Options of {@link EventRecorder}. */
export interface EventRecorderOptions {
  /** Client that writes the events. */
  readonly client: Client;
  /** Name of the controller, such as `example.com/my-operator`. */
  readonly controller: string;
  /** Instance of the controller, such as the name of its pod. */
  readonly instance: string;
  /**
   * Called with the error of each lost event: it could not be written, 1000 others were waiting, or
   * there were too many about one object.
   *
   * @default errors are written to `log`, each cause at once and then once a minute
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives errors if there is no `onError`, and errors that it throws. @default consoleLog */
  readonly log?: Log | undefined;
  /** Clock for the times of events, series and retries. @default the client's clock */
  readonly clock?: Clock | undefined;
  /** Source of the jitter of retries, with results from 0 to less than 1. @default Math.random */
  readonly random?: Random | undefined;
}

const recorderTable: OptionsOf<EventRecorderOptions> = {
  client: having("resource"),
  controller: aString,
  instance: aString,
  onError: aFunction,
  log: aLog,
  clock: aClock,
  random: aFunction,
};

/**
 * Writes events (events.k8s.io/v1) about objects, for `kubectl describe`. Recording never waits and
 * never throws.
 *
 * A repeated event becomes a series with a count. The first repeat is written at once, later ones
 * when the series ends (6 min without a repeat) or has gone on for 30 min. Events that only differ
 * in their notes are combined from the tenth on, while less than ten minutes are between two of
 * them. At most 25 new events of a type are written about one object at once, then one each five
 * minutes; others are reported and dropped. A failed write is tried 12 times, first after up to 10
 * s, then each 10 s. A refused one is not repeated. Not guaranteed: that an event is written.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * import { EventRecorder } from "@listwatch/controller";
 *
 * const recorder = new EventRecorder({
 *   client: createClient(createConnection({ server: "http://127.0.0.1:8001" })),
 *   controller: "example.com/my-operator",
 *   instance: "pod-1",
 * });
 * const pod = {
 *   apiVersion: "v1",
 *   kind: "Pod",
 *   metadata: { namespace: "default", name: "web" },
 * };
 * recorder.event({
 *   regarding: pod,
 *   reason: "Restarted",
 *   action: "Restart",
 *   note: "It was slow",
 * });
 * // await recorder.run(signal);
 * ```
 */
export class EventRecorder implements AsyncDisposable {
  readonly #options: EventRecorderOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #writer: EventWriter;
  /** Series by the content that their events share. The queue holds the keys of those to write. */
  readonly #series = new Map<string, EventSeries>();
  readonly #queue: WorkQueue<string>;
  readonly #failures: Failures;
  readonly #similar = new SimilarEvents();
  readonly #spam = new SpamFilter();
  readonly #run = new SingleRun("the event recorder");
  #sequence = 0;
  /** Number of callers of `retain` that have not released the recorder. */
  #holders = 0;
  /** Ends the run once everything recorded is written. Set after the stop. */
  #finish: (() => void) | undefined;

  /** @throws {InvalidOptionsError} if an option cannot be used, or is missing */
  constructor(options: EventRecorderOptions) {
    checkOptions(options, recorderTable, ["client", "controller", "instance"]);
    this.#options = options;
    this.#clock = options.clock ?? options.client.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#writer = new EventWriter(
      options.client.resource<EventObject>(events),
      this.#clock,
      this.#random,
    );
    this.#queue = new WorkQueue({ clock: this.#clock });
    this.#failures = new Failures({
      log: options.log,
      clock: this.#clock,
      fields: { controller: options.controller },
    });
  }

  /** Records an event. It is written while {@link EventRecorder.run} runs. */
  event(note: EventNote): void {
    if (this.#queue.isShuttingDown) return;
    try {
      this.#record(note, this.#clock.now());
    } catch (error) {
      this.#report(error);
    }
  }

  /**
   * Keeps the recorder running after its signal is aborted, without retries, until the returned
   * function is called. For callers that record an event when they end, such as an elector that the
   * same signal stops.
   *
   * Disposal does not wait, because the caller may be disposed of later.
   *
   * @returns a function that lets the recorder end; further calls do nothing
   */
  retain(): () => void {
    let isHeld = true;
    this.#holders += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) this.#finish?.();
    };
  }

  /**
   * Writes events until `signal` is aborted and no caller retains the recorder ({@link
   * EventRecorder.retain}). Then writes the last counts of all series, without retries.
   */
  run(signal?: AbortSignal): Promise<void> {
    return this.#run.run(signal, (stop) => this.#writeAll(stop));
  }

  /** Stops the recorder, even if it is retained, and waits until {@link EventRecorder.run} ends. */
  [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.#run.stop();
    this.#finish?.();
    return stopped;
  }

  #record(event: EventNote, nowMs: number): void {
    const { type = "Normal", reason, action, note = "" } = event;
    const regarding = referenceTo(event.regarding);
    const related = event.related && referenceTo(event.related);
    const similar = JSON.stringify([regarding, related, type, reason, action]);
    const isCombined = this.#similar.areMany(similar, note, nowMs);
    const key = isCombined ? similar : JSON.stringify([similar, note]);
    const present = this.#series.get(key);
    if (present !== undefined) {
      present.repeat(nowMs);
      setRecent(this.#series, key, present);
      if (present.count === 2) this.#queue.add(key);
      return;
    }
    if (this.#queue.length >= maxWaiting) {
      throw new RangeError(`Cannot record an event: ${maxWaiting} are waiting`);
    }
    if (!this.#spam.allows(JSON.stringify([regarding, type]), nowMs)) {
      const { kind, namespace, name } = regarding;
      const about = `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
      throw new RangeError(
        `Cannot record an event about ${about}: expected no more than ${this.#spam.limit}`,
      );
    }
    const text = isCombined ? `${combinedPrefix}${note}` : note;
    const content = { ...event, type, regarding, related, note: text };
    const { controller, instance } = this.#options;
    const name = eventNameFor(regarding.name ?? "", this.#suffixAt(nowMs), this.#random);
    setRecent(this.#series, key, new EventSeries(content, { controller, instance, name }, nowMs));
    this.#queue.add(key);
  }

  /** Returns the time in hexadecimal, like client-go, with a sequence number to make it unique. */
  #suffixAt(nowMs: number): string {
    this.#sequence += 1;
    return `${Math.round(nowMs * 1000).toString(16)}${this.#sequence.toString(16)}`;
  }

  async #writeAll(stop: AbortSignal): Promise<void> {
    const removeListener = onAborted(stop, () => {
      this.#finish = () => {
        for (const [key, series] of this.#series) if (series.isBehind) this.#queue.add(key);
        this.#queue.shutDown();
      };
      if (this.#holders === 0) this.#finish();
    });
    try {
      await Promise.all(Array.from({ length: workers }, () => this.#work(stop)));
    } finally {
      removeListener();
      this.#series.clear();
      this.#failures.close();
    }
  }

  async #work(stop: AbortSignal): Promise<void> {
    for await (const key of this.#queue) {
      const series = this.#series.get(key);
      if (series === undefined) continue;
      const now = this.#clock.now();
      const isOver = now - series.lastMs >= finishMs;
      // The written count decides, because repeats may have arrived during the first write.
      const isDue = series.writtenCount < 2 || isOver || now - series.writtenMs >= refreshMs;
      if (series.isBehind && (isDue || stop.aborted)) await this.#write(series, stop);
      // A repeat during the write prolongs the series.
      const leftMs = finishMs - (this.#clock.now() - series.lastMs);
      if (leftMs > 0) this.#queue.addAfter(key, leftMs);
      else this.#series.delete(key);
    }
  }

  async #write(series: EventSeries, stop: AbortSignal): Promise<void> {
    try {
      await this.#writer.write(series, stop);
    } catch (error) {
      // Counted as written: a refused event would be refused again, and must not delay the stop.
      series.noteWritten(series.count, this.#clock.now());
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    this.#failures.report({ subject: "The recording of events", error }, this.#options.onError);
  }
}

function referenceTo(object: KubernetesObject): ObjectReference {
  const { name, namespace, uid } = metadataOf(object) ?? {};
  const { apiVersion, kind } = object;
  return { apiVersion, kind, name, namespace, uid };
}
