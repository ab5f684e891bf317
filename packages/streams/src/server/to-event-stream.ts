import { InvalidOptionsError } from "@listwatch/core-fifo";
import {
  checkOptions,
  createInvalidOptionError,
  describeValue,
  FailureLog,
  having,
  isRecord,
  provideDispose,
  systemClock,
  type Clock,
  type Timer,
} from "@listwatch/core-fifo/base";
import { CollectionLog, type StreamedInformer, type Change } from "../log/collection-log.ts";
import { Positions } from "../log/positions.ts";
import { formatPosition } from "../protocol/frames.ts";
import {
  collectionsParameter,
  parseResume,
  resumeHeader,
  streamType,
  type ListReason,
  type Resume,
} from "../protocol/messages.ts";
import { Broadcast } from "./broadcast.ts";
import {
  checkFilters,
  eventStreamTable,
  type EventStreamOptions,
  type StreamedInformers,
} from "./event-stream-options.ts";
import { GrantQuestions, type AnyOptions } from "./grant-questions.ts";
import { identifyRequest } from "./identity.ts";
import { PageStream, type StreamHost } from "./page-stream.ts";
import { Subscription } from "./subscription.ts";

provideDispose();

/** State of all streams of a handler. */
export interface EventStreamStatus {
  /** Number of open streams. */
  readonly streams: number;
  /** Number of streams for which objects wait, because their pages read slowly. */
  readonly slowStreams: number;
  /** Number of objects that wait, in all streams. */
  readonly waitingObjects: number;
}

/**
 * Answers requests of pages with streams. It is a function, and has itself as `fetch`, so that
 * `Deno.serve`, `Bun.serve`, routes of Hono and the listeners of other packages take it as it is.
 */
export interface EventStreamHandler extends AsyncDisposable {
  (request: Request): Promise<Response>;
  /** The handler itself. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Returns the current state of the streams. */
  status(): EventStreamStatus;
}

/** Greatest number of collections in a request. */
const maxCollections = 100;
/** Parts of a heartbeat's period in which the streams take turns. */
const slots = 10;

/**
 * Serves any number of collections over one stream of server-sent events for each page. The
 * informers belong to the caller, who runs and stops them.
 *
 * ```ts
 * import { toEventStream } from "@listwatch/streams";
 * import { Informer, type InformerSource } from "@listwatch/shared-informer";
 *
 * function serve(source: InformerSource<object>): (request: Request) => Promise<Response> {
 *   const pods = new Informer(source, { name: "pods" });
 *   void pods.run();
 *   return toEventStream({ pods }, { authorize: (request) => request.headers.has("x-user") });
 * }
 * ```
 *
 * Guarantees: an object reaches a page only while the grant of its collection, `filter` and
 * `fields` allow it, by the last answer of `authorize`. An object that no longer passes them
 * arrives as a delete. Messages, positions and errors do not show how much there is that the page
 * may not see. A page that reads slowly gets the newest state of each object, and costs one entry
 * for each object that waits. Not guaranteed: a message for every state in between, and an order
 * between objects.
 *
 * @throws {InvalidOptionsError} if `authorize` is missing or an option has a value that is not
 *   allowed
 * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` if an informer has stopped
 */
export function toEventStream<C extends StreamedInformers>(
  informers: C,
  options: EventStreamOptions<C>,
): EventStreamHandler {
  checkOptions(options, eventStreamTable, ["authorize"]);
  checkInformers(informers);
  if (options.filter !== undefined) checkFilters(options.filter, informers);
  const server = new StreamServer(informers, options);
  const handle = (request: Request): Promise<Response> => server.handle(request);
  return Object.assign(handle, {
    fetch: handle,
    status: () => server.status(),
    [Symbol.asyncDispose]: () => server.close(),
  });
}

const anInformer = /* @__PURE__ */ having("addListener", "removeListener", "status");

function checkInformers(informers: unknown): asserts informers is Record<string, StreamedInformer> {
  if (!isRecord(informers)) {
    throw createInvalidOptionError("informers", "an object with informers by name", informers);
  }
  for (const [name, informer] of Object.entries(informers)) {
    if (name === "" || name.includes(",")) {
      const expected = "names of collections without commas";
      throw new InvalidOptionsError(
        `Cannot use the informers: expected ${expected}, got ${describeValue(name)}`,
        "informers",
      );
    }
    const expected = anInformer(informer);
    if (expected !== undefined)
      throw createInvalidOptionError(`informers.${name}`, expected, informer);
  }
}

/** The streams of a handler. */
class StreamServer implements StreamHost {
  readonly heartbeatMs: number;
  readonly strategy: QueuingStrategy<Uint8Array>;
  readonly #options: AnyOptions;
  readonly #clock: Clock;
  readonly #failures: FailureLog;
  readonly #positions = new Positions();
  readonly #questions: GrantQuestions;
  readonly #logs = new Map<string, CollectionLog>();
  readonly #streams = new Map<PageStream, number>();
  readonly #broadcast: Broadcast;
  readonly #problems = new Map<CollectionLog, string | undefined>();
  /** Changes of this turn of the event loop, which streams get together. */
  #changes: Change[] = [];
  /** Number of changes in the logs, and of those that were passed to the streams. */
  #counted = 0;
  #sent = 0;
  #timer: Timer | undefined;
  /** The slot whose streams get the next heartbeat, and that of the next stream. */
  #slot = 0;
  #nextSlot = 0;
  #isClosed = false;

  constructor(informers: Readonly<Record<string, StreamedInformer>>, options: AnyOptions) {
    const { bufferBytes = 65_536, clock = systemClock, heartbeatMs = 15_000 } = options;
    const { log, maxLog = 4096 } = options;
    this.#options = options;
    this.#clock = clock;
    this.heartbeatMs = heartbeatMs;
    this.strategy = {
      highWaterMark: bufferBytes,
      size: ({ byteLength }: Uint8Array) => byteLength,
    };
    this.#failures = new FailureLog({ log, clock });
    this.#questions = new GrantQuestions({
      options,
      clock,
      failures: this.#failures,
      epoch: this.#positions.epoch,
      flush: () => this.flush(),
    });
    this.#broadcast = new Broadcast(bufferBytes);
    for (const [name, informer] of Object.entries(informers)) {
      const collection = new CollectionLog({
        name,
        informer,
        maxEntries: maxLog,
        count: () => ++this.#counted,
        onChange: (change) => this.#note(change),
        onSynced: () => this.#begin(collection),
        onEnd: () => this.#end(collection),
      });
      this.#logs.set(name, collection);
    }
    try {
      for (const collection of this.#logs.values()) collection.follow();
    } catch (error) {
      // An informer has stopped: those before it must not keep a log that serves no pages.
      void this.close();
      throw error;
    }
  }

  status(): EventStreamStatus {
    const backlogs = [...this.#streams.keys()].map(({ backlog }) => backlog);
    return {
      streams: this.#streams.size,
      slowStreams: backlogs.filter((backlog) => backlog > 0).length,
      waitingObjects: backlogs.reduce((sum, backlog) => sum + backlog, 0),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stream of this.#streams.keys()) stream.end();
    this.#failures.close();
    await Promise.all([...this.#logs.values()].map((collection) => collection.leave()));
  }

  async handle(request: Request): Promise<Response> {
    if (request.method !== "GET") return answer(405, "Expected the method GET", { allow: "GET" });
    const names = readNames(request);
    if (names === undefined) {
      const expected = `1 to ${maxCollections} names in the parameter ${collectionsParameter}`;
      return answer(400, `Expected ${expected}`);
    }
    const { maxStreams = 20_000 } = this.#options;
    if (this.#isClosed || this.#streams.size >= maxStreams) {
      return answer(503, "No more streams", { "retry-after": "10" });
    }
    const { identify = identifyRequest } = this.#options;
    const identity = identify(request);
    const resume = parseResume(request.headers.get(resumeHeader));
    const subscriptions = names.map((name) => this.#subscribe(name, resume));
    const stream = new PageStream(this, request, identity, subscriptions);
    // Registered first: changes during the questions are not lost.
    this.#streams.set(stream, this.#nextSlot);
    this.#nextSlot = (this.#nextSlot + 1) % slots;
    this.place(stream, false);
    // A page that has gone leaves its place to others, whether its grants are known or not.
    request.signal.addEventListener("abort", () => stream.end(), { once: true });
    if (!request.signal.aborted) await this.#questions.askFirst(stream);
    if (!stream.isOpen || request.signal.aborted) {
      stream.end();
      return answer(503, "Closed");
    }
    if (subscriptions.every(({ phase }) => phase === "denied")) {
      stream.end();
      return answer(403, "Not granted", { "content-type": streamType });
    }
    // A page that has missed nothing learns that it is up to date.
    stream.beat(this.#formatBeat());
    this.#startTimer();
    return new Response(stream.body, {
      headers: {
        "content-type": `${streamType}; charset=utf-8`,
        "cache-control": "no-store",
        // For nginx, which otherwise collects a stream.
        "x-accel-buffering": "no",
      },
    });
  }

  #subscribe(name: string, resume: Resume | undefined): Subscription {
    const view = resume?.views.get(name);
    const change = resume && this.#positions.find(resume.position);
    const subscription = new Subscription(name, this.#logs.get(name), this.#reasonOf(resume, view));
    if (view !== undefined) subscription.resume = { change, view };
    return subscription;
  }

  #reasonOf(resume: Resume | undefined, view: string | undefined): ListReason {
    if (resume === undefined || view === undefined) return "first";
    return this.#positions.isOwn(resume.position) ? "expired" : "otherHistory";
  }

  #note(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length === 1) queueMicrotask(() => this.flush());
  }

  flush(): void {
    const changes = this.#changes;
    if (changes.length === 0) return;
    this.#changes = [];
    this.#sent = this.#counted;
    this.#positions.move();
    if (this.#streams.size > 0) this.#broadcast.send(changes, this.position());
  }

  #begin(collection: CollectionLog): void {
    this.flush();
    for (const stream of this.#streams.keys()) {
      for (const subscription of stream.subscriptions) {
        if (subscription.log === collection) subscription.begin();
      }
      stream.refresh();
    }
  }

  /** An informer that has ended shows nothing new. */
  #end(collection: CollectionLog): void {
    for (const stream of this.#streams.keys()) {
      for (const subscription of stream.subscriptions) {
        if (subscription.log === collection) subscription.pause();
      }
      stream.refresh();
    }
  }

  position(): string {
    return this.#positions.at(this.#sent);
  }

  place(stream: PageStream, isIdle: boolean): void {
    this.#broadcast.place(stream, isIdle);
  }

  forget(stream: PageStream): void {
    this.#streams.delete(stream);
    this.#broadcast.remove(stream);
    if (this.#streams.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #startTimer(): void {
    if (this.#timer !== undefined || this.#streams.size === 0) return;
    this.#timer = this.#clock.setTimeout(() => this.#tick(), this.heartbeatMs / slots);
  }

  /** Sends the heartbeats of one slot, and asks about the grants that are due. */
  #tick(): void {
    this.#timer = undefined;
    this.#startTimer();
    const tickMs = this.heartbeatMs / slots;
    const nowMs = this.#clock.now();
    this.#slot = (this.#slot + 1) % slots;
    // Another word each time, whether there were changes or not.
    this.#positions.move();
    const beat = this.#formatBeat();
    const changed = this.#findProblems();
    for (const [stream, slot] of this.#streams) {
      if (changed.length > 0) this.#noteProblems(stream, changed);
      if (slot === this.#slot) stream.beat(beat);
      if (!stream.isAsking && nowMs + tickMs > stream.askAtMs) void this.#questions.ask(stream);
    }
    if (this.#slot === 0) this.#questions.sweep();
  }

  #formatBeat(): Uint8Array {
    return encoder.encode(formatPosition(this.position()));
  }

  /** Returns the collections whose informers have another problem than at the last look. */
  #findProblems(): readonly CollectionLog[] {
    return [...this.#logs.values()].filter((collection) => {
      const { problem } = collection;
      if (problem === this.#problems.get(collection)) return false;
      this.#problems.set(collection, problem);
      return true;
    });
  }

  #noteProblems(stream: PageStream, changed: readonly CollectionLog[]): void {
    for (const subscription of stream.subscriptions) {
      const { log } = subscription;
      if (log !== undefined && changed.includes(log)) subscription.noteProblem();
    }
    stream.refresh();
  }
}

const encoder = /* @__PURE__ */ new TextEncoder();
/** `undefined` if the request does not name collections. */
function readNames(request: Request): readonly string[] | undefined {
  const value = new URL(request.url).searchParams.get(collectionsParameter) ?? "";
  const names = [...new Set(value.split(",").filter((name) => name !== ""))];
  return names.length === 0 || names.length > maxCollections ? undefined : names;
}

function answer(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "cache-control": "no-store", ...headers },
  });
}
