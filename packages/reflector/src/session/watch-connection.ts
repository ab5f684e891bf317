import type { WatchEvent, WatchOptions } from "@listwatch/client";
import { EventReader, type BatchReceiver, type WatchRequest } from "./event-reader.ts";
import type { Timer } from "@listwatch/core-fifo";
import { metadataOf, recordOf, stringOf } from "@listwatch/core-fifo/base";
import type { Deadline } from "./deadline.ts";
import type { RunContext } from "../services/services.ts";

/**
 * A watch that lasted this long, or delivered something, has worked (client-go
 * `VeryShortWatchError`, tools/cache/reflector.go).
 */
const workingWatchMs = 1000;

/** Initial objects arrive as ADDED; what a type of a later version of the API means is not known. */
const orderedTypes: ReadonlySet<string> = new Set(["MODIFIED", "DELETED", "BOOKMARK"]);

/** Arguments of a watch in addition to its parameters. */
type WatchLimits<T> = Pick<WatchRequest<T>, "goal" | "reuse" | "signal" | "silenceMs">;

/** One watch of a reflector, from its request to its end, with its age and its number of events. */
export class WatchConnection<T> {
  readonly #context: RunContext<T>;
  readonly #reader: EventReader<T>;
  readonly #timeoutMs: number;
  /** When it was requested, or its initial list was complete. */
  #sinceMs: number;
  #events = 0;
  /** Opened at no certain state, and only initial objects so far. */
  #isUnordered: boolean;
  #rest: readonly WatchEvent<T>[] | undefined;
  /** No byte has come, not counting an initial list. */
  #isSilent = true;
  /** Fires once the watch has been open long enough to reset the backoff. */
  #lasting: Timer | undefined;

  private constructor(
    context: RunContext<T>,
    reader: EventReader<T>,
    request: { readonly openedMs: number; readonly options: WatchOptions },
  ) {
    const { resourceVersion, timeoutSeconds = 0 } = request.options;
    this.#context = context;
    this.#reader = reader;
    this.#sinceMs = request.openedMs;
    this.#timeoutMs = timeoutSeconds * 1000;
    this.#isUnordered = resourceVersion === "" || resourceVersion === "0";
  }

  /**
   * Requests a watch and waits until the server has accepted it.
   *
   * @throws what the request failed with; nothing is left open then
   */
  static async open<T>(
    context: RunContext<T>,
    options: WatchOptions,
    limits: WatchLimits<T>,
  ): Promise<WatchConnection<T>> {
    const { clock, listerWatcher, name, random, watch } = context.settings;
    // Random, so that the watches of a restarted server do not all end together again.
    const timeoutSeconds = Math.floor((watch.minWatchTimeoutMs / 1000) * (1 + random()));
    const request = { ...options, allowWatchBookmarks: true, timeoutSeconds };
    await context.requests.take(limits.signal);
    // Before the request: some proxies hold the headers back until the first event.
    const openedMs = clock.now();
    context.metrics.watches?.inc();
    const reader = await EventReader.open({
      ...limits,
      clock,
      listerWatcher,
      options: request,
      limitMs: timeoutSeconds * 1000 + watch.watchGraceMs,
      what: `Cannot watch for ${name}`,
    });
    return new WatchConnection(context, reader, { openedMs, options: request });
  }

  get deadline(): Deadline {
    return this.#reader.deadline;
  }

  /** Objects of this connection that were used. */
  get events(): number {
    return this.#events;
  }

  get ageMs(): number {
    return this.#context.settings.clock.now() - this.#sinceMs;
  }

  /** Whether it has been open for long enough to show that the server works. */
  get hasLasted(): boolean {
    return this.ageMs >= workingWatchMs;
  }

  /** Whether it has neither lasted nor delivered. */
  get isVeryShort(): boolean {
    return !this.hasLasted && this.#events === 0;
  }

  /** Whether the time that was requested of the server is over. */
  get isTimedOut(): boolean {
    // Servers count from the moment they accept; a second of theirs may be a little less of ours.
    return this.ageMs >= this.#timeoutMs - 1000;
  }

  /** Whether not a byte has come on it, not counting an initial list. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Whether it was ended from here, because it was silent or open for too long. */
  get isGivenUp(): boolean {
    return this.deadline.signal.aborted;
  }

  /**
   * Counts an event. Returns whether its resourceVersion is a state to resume from: initial objects
   * of a watch without a resourceVersion arrive in any order.
   */
  countEvent(type: string): boolean {
    this.#events += 1;
    if (!this.#isUnordered) return true;
    this.#isUnordered = !orderedTypes.has(type);
    return !this.#isUnordered;
  }

  /** Whether an object was created since the request, as far as the clocks show. */
  isYounger(object: unknown): boolean {
    const { creationTimestamp } = recordOf(metadataOf(object));
    const createdMs = Date.parse(stringOf(creationTimestamp));
    // A time of the future, or none, shows nothing.
    return createdMs > this.#sinceMs && createdMs <= this.#context.settings.clock.now();
  }

  /**
   * The initial list is complete: age and events count from here, the rest of the last batch is
   * read next.
   */
  handOver(rest: readonly WatchEvent<T>[]): void {
    const { clock, watch } = this.#context.settings;
    this.#sinceMs = clock.now();
    this.#events = 0;
    this.#isUnordered = false;
    this.#rest = rest.length === 0 ? undefined : rest;
    this.deadline.setIdle(watch.silenceMs);
  }

  /** {@link EventReader.read}; the rest of an initial list comes first. */
  async read<R>(receiver: BatchReceiver<T, R>): Promise<R | undefined> {
    const rest = this.#rest;
    this.#rest = undefined;
    return (rest && receiver.receive(rest)) ?? this.#reader.read(receiver);
  }

  /** The server has accepted a watch from where the store is: what failed is over when it lasts. */
  noteAccepted(): void {
    const { reports, settings } = this.#context;
    reports.noteWatching();
    const leftMs = Math.max(workingWatchMs - this.ageMs, 0);
    this.#lasting = settings.clock.setTimeout(() => reports.noteRecovery(), leftMs);
  }

  /** Bytes have arrived: the connection does bring what the server sends. */
  noteArrival(): void {
    this.#isSilent = false;
    this.#context.reports.noteSound();
  }

  /** A watch that has lasted ends the row of failures before it. */
  noteAge(): void {
    if (this.hasLasted) this.#context.reports.noteWorking();
  }

  /** Ends the stream if it is still open, and says so. */
  close(cause?: unknown): void {
    const { metrics, history, reports, settings } = this.#context;
    const { ageMs: durationMs, events } = this;
    this.#lasting?.cancel();
    this.noteAge();
    this.#reader.close();
    metrics.watchDuration?.observe(durationMs / 1000);
    metrics.itemsPerWatch?.observe(events);
    if (this.isVeryShort) metrics.shortWatches?.inc();
    reports.trace({
      kind: "watchEnded",
      reflector: settings.name,
      cause,
      durationMs,
      events,
      resourceVersion: history.current.resourceVersion,
    });
  }
}
