import { systemClock, type Clock, type Random } from "@listwatch/core-fifo";
import {
  aClock,
  aFunction,
  aNumber,
  Backoff,
  checkOptions,
  createInvalidOptionError,
  describeDuration,
  describeError,
  sleep,
  systemRandom,
  untilAborted,
  type OptionsOf,
  type Timer,
} from "@listwatch/core-fifo/base";
import type { InformerProblem, InformerSource } from "@listwatch/shared-informer";
import { EventParser } from "../protocol/event-parser.ts";
import {
  collectionsParameter,
  formatResume,
  resumeHeader,
  streamType,
} from "../protocol/messages.ts";
import { CollectionSource, type Carrier, type Member, type Message } from "./collection-source.ts";
import { reasonOfStatus, StreamError } from "./stream-error.ts";

/** Options of {@link eventStreamSource}. */
export interface EventStreamSourceOptions {
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: ((url: string, init: StreamRequestInit) => Promise<Response>) | undefined;
  /**
   * Called before each request. Returns further headers, such as `authorization`.
   *
   * @default none
   */
  readonly headers?:
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /**
   * Time without a byte after which the page opens another stream, in milliseconds. At least three
   * heartbeats of the server, and longer than its `authorizeLimitMs`: until then it may not
   * answer.
   *
   * @default 45000
   */
  readonly silenceMs?: number | undefined;
  /** Clock of silences and delays. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Randomness of delays. @default Math.random */
  readonly random?: Random | undefined;
}

/** Request of a page, as `fetch` takes it. */
export interface StreamRequestInit {
  /** Headers of the request. */
  readonly headers: Record<string, string>;
  /** Aborted when the page no longer reads the stream. */
  readonly signal: AbortSignal;
  /** Always `no-store`. */
  readonly cache: "no-store";
}

/** One stream, with any number of collections. */
export interface EventStreamSource {
  /**
   * Returns the source of a collection, for one informer at a time. The stream is open while at
   * least one of its informers runs.
   *
   * @param name name of the collection on the server
   */
  collection<T extends object>(name: string): InformerSource<T>;
}

const sourceTable: OptionsOf<EventStreamSourceOptions> = {
  fetch: aFunction,
  headers: aFunction,
  silenceMs: aNumber(1),
  clock: aClock,
  random: aFunction,
};

/**
 * Reads collections from the stream of a `toEventStream`, as sources of informers.
 *
 * ```ts
 * import { eventStreamSource } from "@listwatch/streams";
 * import { Informer } from "@listwatch/shared-informer";
 *
 * const stream = eventStreamSource("https://dashboard.example/stream");
 * const pods = new Informer(stream.collection("pods"), { name: "pods" });
 * const nodes = new Informer(stream.collection("nodes"), { name: "nodes" });
 * const stop = new AbortController();
 * const runs = Promise.all([pods.run(stop.signal), nodes.run(stop.signal)]);
 * stop.abort(); // one stream was opened for both
 * await runs;
 * ```
 *
 * It uses `fetch`: `EventSource` sends no headers, cannot be paused by a page that reads slowly,
 * and shows no status. After a failure the stream is opened again after 0.5 to 1 s, and later after
 * up to 30 to 60 s, and goes on where it was. Objects stay in the informers during that time.
 *
 * @param url address of the handler; a relative one counts from the page
 * @throws {InvalidOptionsError} if an option has a value that is not allowed
 */
export function eventStreamSource(
  url: string | URL,
  options: EventStreamSourceOptions = {},
): EventStreamSource {
  checkOptions(options, sourceTable);
  const address = String(url);
  if (address === "") throw createInvalidOptionError("url", "an address", url);
  return new PageConnection(address, options);
}

/** The stream of a page, and its collections. */
class PageConnection implements EventStreamSource, Carrier {
  readonly #url: string;
  readonly #options: EventStreamSourceOptions;
  readonly #clock: Clock;
  readonly #members = new Set<Member>();
  readonly #backoff: Backoff;
  /** Last position of the stream. */
  #position: string | undefined;
  #problem: InformerProblem | undefined;
  #isRunning = false;
  #isOpen = false;
  /** Ends the current request, or the current wait. */
  #current: AbortController | undefined;
  #change: Timer | undefined;
  /** Time of the last byte, and of the last complete state. */
  #heardMs = 0;
  #completeMs: number | undefined;
  #isComplete = false;

  constructor(url: string, options: EventStreamSourceOptions) {
    const { clock = systemClock, random = systemRandom } = options;
    this.#url = url;
    this.#options = options;
    this.#clock = clock;
    this.#backoff = new Backoff({
      baseMs: 500,
      factor: 2,
      jitter: 1,
      capMs: 30_000,
      resetMs: 60_000,
      resetRule: "quiet",
      clock,
      random,
    });
  }

  get problem(): InformerProblem | undefined {
    return this.#problem;
  }

  get freshAsOfMs(): number | undefined {
    return this.#completeMs;
  }

  /** While the stream is open, its silence means that nothing changed. */
  get liveAsOfMs(): number | undefined {
    const isLive =
      this.#isOpen && this.#isComplete && this.now() - this.#heardMs <= this.#silenceMs;
    return isLive ? this.now() : this.#completeMs;
  }

  get #silenceMs(): number {
    return this.#options.silenceMs ?? 45_000;
  }

  now(): number {
    return this.#clock.now();
  }

  collection<T extends object>(name: string): InformerSource<T> {
    if (typeof name !== "string" || name === "" || name.includes(",")) {
      throw createInvalidOptionError("name", "a name without commas", name);
    }
    return new CollectionSource<T>(name, this);
  }

  join(collection: Member): void {
    this.#members.add(collection);
    this.#reopen();
  }

  leave(collection: Member): void {
    if (!this.#members.delete(collection)) return;
    if (this.#members.size > 0) {
      this.#reopen();
      return;
    }
    this.#change?.cancel();
    this.#change = undefined;
    this.#current?.abort();
  }

  /** Opens the stream with the current collections. Those that begin together share a request. */
  #reopen(): void {
    this.#change ??= this.#clock.setTimeout(() => {
      this.#change = undefined;
      if (this.#isRunning) this.#current?.abort();
      else void this.#run();
    }, 0);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let attempts = 0;
    while (this.#members.size > 0) {
      const current = new AbortController();
      this.#current = current;
      this.#isComplete = false;
      try {
        await this.#read(current, () => (attempts = 0));
        throw new StreamError("The stream has ended", "unreachable");
      } catch (error) {
        this.#isOpen = false;
        const { aborted, reason } = current.signal;
        // The collections have changed, or there are none.
        if (aborted && !isOwn(reason)) continue;
        await this.#wait(aborted ? reason : error, ++attempts);
      }
    }
    this.#isRunning = false;
    this.#problem = undefined;
  }

  /** Reports a failure, and waits until the next attempt. */
  async #wait(error: unknown, attempts: number): Promise<void> {
    const reason = isOwn(error) ? error.reason : "unreachable";
    const nowMs = this.now();
    const sinceMs = this.#problem?.sinceMs ?? nowMs;
    const delayMs = this.#backoff.next();
    this.#problem = { reason, error, attempts, sinceMs, retryMs: nowMs + delayMs };
    for (const member of [...this.#members]) member.report(error, attempts);
    const wait = new AbortController();
    this.#current = wait;
    try {
      await sleep(delayMs, { clock: this.#clock, signal: wait.signal });
    } catch {
      // The collections have changed.
    }
  }

  async #read(current: AbortController, onComplete: () => void): Promise<void> {
    // A server may also be silent before it answers.
    const stop = this.#watchSilence(current);
    try {
      const { body, headers, ok, status } = await this.#request(current.signal);
      // A login page or a proxy may answer in place of the server.
      const isStream = (headers.get("content-type") ?? "").startsWith(streamType);
      if (isStream && ok && body !== null) {
        await this.#readBody(body, current.signal, onComplete);
        return;
      }
      void body?.cancel().catch(() => undefined);
      if (isStream && status === 403) for (const member of [...this.#members]) await member.deny();
      throw new StreamError(
        `Cannot open the stream: expected a stream, got ${status}`,
        reasonOfStatus(status),
        status,
      );
    } finally {
      stop();
    }
  }

  async #readBody(
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal,
    onComplete: () => void,
  ): Promise<void> {
    const reader = body.getReader();
    const parser = new EventParser();
    const cancel = (): void => void reader.cancel().catch(() => undefined);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        this.#heardMs = this.now();
        for (const { data, id, type } of parser.push(value)) {
          if (signal.aborted) return;
          // The informer applies a large list over several turns.
          const applying = type === "" ? undefined : this.#receive(type, data);
          this.#isComplete = id !== undefined;
          if (applying !== undefined) await applying;
          if (id === undefined) continue;
          this.#position = id;
          this.#completeMs = this.now();
          onComplete();
        }
      }
    } finally {
      signal.removeEventListener("abort", cancel);
      cancel();
    }
  }

  async #request(signal: AbortSignal): Promise<Response> {
    const members = [...this.#members];
    const names = [...new Set(members.map(({ name }) => name))];
    const mark = this.#url.includes("?") ? "&" : "?";
    const query = names.map((name) => encodeURIComponent(name)).join(",");
    const further = untilAborted(Promise.resolve(this.#options.headers?.()), signal);
    const headers: Record<string, string> = { ...(await further), accept: streamType };
    const views = new Map<string, string>();
    for (const { name, view } of members) {
      // An informer that has nothing yet needs a list, which all informers of the collection get.
      const isComplete = members.every((each) => each.name !== name || each.view === view);
      if (view !== "" && isComplete) views.set(name, view);
    }
    if (this.#position !== undefined && views.size > 0) {
      headers[resumeHeader] = formatResume({ position: this.#position, views });
    }
    const { fetch: send = fetch } = this.#options;
    const url = `${this.#url}${mark}${collectionsParameter}=${query}`;
    try {
      return await send(url, { headers, signal, cache: "no-store" });
    } catch (cause) {
      throw new StreamError(`Cannot open the stream: ${describeError(cause)}`, "unreachable", 0, {
        cause,
      });
    }
  }

  #receive(type: string, data: string): Promise<unknown> | undefined {
    // Messages of later versions are ignored.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const message = { type, data: JSON.parse(data) as unknown } as Message;
    if (message.type === "open") {
      this.#isOpen = true;
      this.#problem = undefined;
      for (const member of this.#members) member.reopen();
      return undefined;
    }
    const { collection } = message.data;
    const applying: Promise<void>[] = [];
    for (const member of this.#members) {
      if (member.name !== collection) continue;
      const one = member.receive(message);
      if (one !== undefined) applying.push(one);
    }
    return applying.length === 0 ? undefined : Promise.all(applying);
  }

  /** Ends a request on which nothing arrives. Returns a function that ends the watch. */
  #watchSilence(current: AbortController): () => void {
    const silenceMs = this.#silenceMs;
    this.#heardMs = this.now();
    const check = (): void => {
      const leftMs = this.#heardMs + silenceMs - this.now();
      if (leftMs > 0) timer = this.#clock.setTimeout(check, leftMs);
      else {
        const text = `The stream was silent for ${describeDuration(silenceMs)}`;
        current.abort(new StreamError(text, "unreachable"));
      }
    };
    let timer = this.#clock.setTimeout(check, silenceMs);
    return () => timer.cancel();
  }
}

function isOwn(error: unknown): error is StreamError {
  return error instanceof StreamError;
}
