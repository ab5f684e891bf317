import {
  sleep,
  systemClock,
  systemRandom,
  type Clock,
  type KubernetesObject,
  type Random,
} from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import {
  isNotFound,
  isStatusError,
  type Client,
  type ResourceClient,
  type ResourceReference,
} from "@listwatch/client";
import { onAborted } from "@listwatch/core-fifo/base";
import { WorkQueue } from "@listwatch/workqueue";
import { report } from "../lifecycle/callbacks.ts";
import { SingleRun } from "../lifecycle/single-run.ts";
import { EventSeries, type EventObject, type ObjectReference } from "./event-series.ts";

const events: ResourceReference = { group: "events.k8s.io", version: "v1", resource: "events" };

/** client-go, tools/events/event_broadcaster.go. */
const maxWaiting = 1000;
const workers = 8;
const maxTries = 12;
const retryMs = 10_000;
const retryJitter = 0.25;
/** A series without a repeat for so long is over, and its last count is written. */
const finishMs = 6 * 60_000;
/** Time between two writes of a series that goes on. */
const refreshMs = 30 * 60_000;

/** What an event says. */
export interface EventNote {
  /** The object that the event is about. */
  readonly regarding: KubernetesObject;
  /** @default "Normal" */
  readonly type?: "Normal" | "Warning" | undefined;
  /** Why, in one CamelCase word: `ScaledUp`. */
  readonly reason: string;
  /** What was done about it, in one CamelCase word: `CreatePod`. */
  readonly action: string;
  /** A sentence for people, up to 1 KiB; a longer one is cut. */
  readonly note?: string | undefined;
  /** Another object that is involved. */
  readonly related?: KubernetesObject | undefined;
}

/** Options of {@link EventRecorder}. */
export interface EventRecorderOptions {
  readonly client: Client;
  /** The name of the controller, such as `example.com/my-operator`. */
  readonly controller: string;
  /** The instance of the controller, such as the name of the pod. */
  readonly instance: string;
  /** Called with each event's failure: it could not be written, or 1000 were waiting. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default systemRandom */
  readonly random?: Random | undefined;
}

/**
 * Writes events (events.k8s.io/v1) about objects, for `kubectl describe`. Recording never waits and
 * never throws.
 *
 * An event that repeats, but for its note, becomes a series with a count: the second one is written
 * at once, later ones only when the series ends (6 min of silence) or goes on for 30 min. A failed
 * write is tried 12 times, 10 s apart; one that the server refused is not. Not guaranteed: that an
 * event is written at all.
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
  readonly #events: ResourceClient<EventObject>;
  /** By what two events of a series have in common; the queue has the keys of those to be written. */
  readonly #series = new Map<string, EventSeries>();
  readonly #queue: WorkQueue<string>;
  readonly #run = new SingleRun("the event recorder");
  #sequence = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#events = options.client.resource<EventObject>(events);
    this.#queue = new WorkQueue({ clock: this.#clock });
  }

  /** Records an event; it is written while {@link EventRecorder.run} runs. */
  event(note: EventNote): void {
    if (this.#queue.isShuttingDown) return;
    const now = this.#clock.now();
    const { controller, instance } = this.#options;
    const { regarding, related, type = "Normal", reason, action } = note;
    const identity = [
      referenceTo(regarding),
      related && referenceTo(related),
      type,
      reason,
      action,
    ];
    const key = JSON.stringify(identity);
    const present = this.#series.get(key);
    if (present !== undefined) {
      present.repeat(now);
      if (present.count === 2) this.#queue.add(key);
      return;
    }
    if (this.#queue.length >= maxWaiting) {
      this.#report(new RangeError(`Cannot record an event: ${maxWaiting} are waiting`));
      return;
    }
    this.#sequence += 1;
    const suffix = `${Math.round(now * 1000).toString(16)}${this.#sequence.toString(16)}`;
    const series = new EventSeries(
      {
        ...note,
        type,
        regarding: referenceTo(regarding),
        related: related && referenceTo(related),
      },
      { controller, instance, suffix },
      now,
    );
    this.#series.set(key, series);
    this.#queue.add(key);
  }

  /** Writes events until `signal` is aborted, then the last counts of all series, without retries. */
  run(signal?: AbortSignal): Promise<void> {
    return this.#run.run(signal, (stop) => this.#writeAll(stop));
  }

  /** Stops the recorder, and waits for the end of {@link EventRecorder.run}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#run.stop();
  }

  async #writeAll(stop: AbortSignal): Promise<void> {
    const removeListener = onAborted(stop, () => {
      for (const [key, series] of this.#series) if (series.isBehind) this.#queue.add(key);
      this.#queue.shutDown();
    });
    try {
      await Promise.all(Array.from({ length: workers }, () => this.#work(stop)));
    } finally {
      removeListener();
      this.#series.clear();
    }
  }

  async #work(stop: AbortSignal): Promise<void> {
    for await (const key of this.#queue) {
      const series = this.#series.get(key);
      if (series === undefined) continue;
      const now = this.#clock.now();
      const isOver = now - series.lastMs >= finishMs;
      const isDue = series.count <= 2 || isOver || now - series.writtenMs >= refreshMs;
      if (series.isBehind && (isDue || stop.aborted)) await this.#write(series, stop);
      if (isOver) this.#series.delete(key);
      else this.#queue.addAfter(key, finishMs - (now - series.lastMs));
    }
  }

  async #write(series: EventSeries, stop: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#send(series);
        return;
      } catch (error) {
        const isFinal = isStatusError(error) || tries >= maxTries || stop.aborted;
        if (!isFinal && (await this.#pause(stop))) continue;
        // Counted as written: a refused event is refused again, and must not hold up the stop.
        series.noteWritten(series.count, this.#clock.now());
        this.#report(error);
        return;
      }
    }
  }

  async #send(series: EventSeries): Promise<void> {
    const { count } = series;
    if (!series.isCreated) {
      await this.#events.create(series.object());
      series.noteCreated();
    } else {
      try {
        await this.#events.patch(series.key, series.patch());
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // It has expired on the server (an hour by default).
        await this.#events.create(series.object());
      }
    }
    series.noteWritten(count, this.#clock.now());
  }

  /** Waits before the next attempt; `false` when it is no longer worth it. */
  async #pause(stop: AbortSignal): Promise<boolean> {
    const delayMs = retryMs * (1 + this.#random() * retryJitter);
    try {
      await sleep(delayMs, { clock: this.#clock, signal: stop });
      return true;
    } catch {
      return false;
    }
  }

  #report(error: unknown): void {
    report(error, this.#options.onError);
  }
}

function referenceTo(object: KubernetesObject): ObjectReference {
  const { name, namespace, uid } = metadataOf(object) ?? {};
  const { apiVersion, kind } = object;
  return { apiVersion, kind, name, namespace, uid };
}
