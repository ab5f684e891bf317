import type { Clock } from "@listwatch/core-fifo";
import type {
  ListContext,
  ListerWatcher,
  ListOptions,
  ListResult,
  RequestContext,
  WatchEvent,
  WatchOptions,
} from "@listwatch/reflector";
import { isRecord } from "../framework/values.ts";
import { answeredError, listDocument, statusObject, widget, type Widget } from "./objects.ts";

/** A request as it was made. */
export interface SeenRequest {
  readonly n: number;
  readonly kind: "list" | "watch";
  readonly atMs: number;
  readonly options: ListOptions & WatchOptions;
}

interface Pending extends SeenRequest {
  readonly resolve: (answer: ListResult<Widget> | ScriptedStream) => void;
  readonly reject: (reason: unknown) => void;
}

/** A watch whose events the script delivers. */
class ScriptedStream implements AsyncIterableIterator<readonly WatchEvent<Widget>[]> {
  readonly n: number;
  readonly #onStop: () => void;
  #events: WatchEvent<Widget>[] = [];
  #ended = false;
  #waiting: (() => void) | undefined;

  constructor(n: number, onStop: () => void) {
    this.n = n;
    this.#onStop = onStop;
  }

  push(events: readonly WatchEvent<Widget>[]): void {
    this.#events.push(...events);
    this.#waiting?.();
  }

  end(): void {
    this.#ended = true;
    this.#waiting?.();
  }

  async next(): Promise<IteratorResult<readonly WatchEvent<Widget>[]>> {
    while (this.#events.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => (this.#waiting = resolve));
    }
    if (this.#events.length === 0) return { done: true, value: undefined };
    const value = this.#events;
    this.#events = [];
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<readonly WatchEvent<Widget>[]>> {
    if (!this.#ended) {
      this.end();
      this.#onStop();
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/**
 * The API server of a case: it keeps requests until the script answers them and notes what the client does. What
 * happened is taken out step by step.
 */
export class ScriptedServer implements ListerWatcher<Widget> {
  readonly watchListSupported: boolean;
  readonly #clock: Clock;
  #requests = 0;
  #pending: Pending | undefined;
  #stream: ScriptedStream | undefined;
  #seen: SeenRequest[] = [];
  #cancelled: number[] = [];
  #stopped: number[] = [];

  constructor(clock: Clock, watchListSupported: boolean) {
    this.#clock = clock;
    this.watchListSupported = watchListSupported;
  }

  list(options: ListOptions, context: ListContext<Widget>): Promise<ListResult<Widget>> {
    return this.#request("list", options, context.signal).then((answer) => {
      if (answer instanceof ScriptedStream) throw new TypeError("Couldn't list: got a stream");
      return answer;
    });
  }

  watch(options: WatchOptions, context: RequestContext): Promise<ScriptedStream> {
    const { signal } = context;
    return this.#request("watch", options, signal).then((answer) => {
      if (!(answer instanceof ScriptedStream)) throw new TypeError("Couldn't watch: got a list");
      signal.addEventListener("abort", () => void answer.return());
      return answer;
    });
  }

  get pending(): "none" | "list" | "watch" {
    return this.#pending?.kind ?? "none";
  }

  /** What the client did since the last call. */
  takeHappenings(): {
    readonly requests: readonly SeenRequest[];
    readonly cancelled: readonly number[];
    readonly streamStopped: readonly number[];
  } {
    const happenings = {
      requests: this.#seen,
      cancelled: this.#cancelled,
      streamStopped: this.#stopped,
    };
    this.#seen = [];
    this.#cancelled = [];
    this.#stopped = [];
    return happenings;
  }

  /** Performs a step of the server's; false if it is none. */
  perform(step: Readonly<Record<string, unknown>>): boolean {
    switch (step["do"]) {
      case "answerList":
        this.#answer("list", step, () => listDocument(step));
        return true;
      case "answerWatch":
        this.#answer("watch", step, ({ n }) => {
          this.#stream = new ScriptedStream(n, () => this.#stopped.push(n));
          return this.#stream;
        });
        return true;
      case "event":
        this.#deliver([step["event"]]);
        return true;
      case "events":
        if (!Array.isArray(step["events"])) throw new TypeError("Couldn't deliver: no events");
        this.#deliver(step["events"]);
        return true;
      case "closeWatch":
        this.#stream?.end();
        this.#stream = undefined;
        return true;
      default:
        return false;
    }
  }

  #request(
    kind: "list" | "watch",
    options: ListOptions & WatchOptions,
    signal: AbortSignal,
  ): Promise<ListResult<Widget> | ScriptedStream> {
    signal.throwIfAborted();
    const n = ++this.#requests;
    const seen = { n, kind, options, atMs: this.#clock.now() };
    this.#seen.push(seen);
    return new Promise((resolve, reject) => {
      const pending = { ...seen, resolve, reject };
      this.#pending = pending;
      signal.addEventListener("abort", () => {
        if (this.#pending !== pending) return;
        this.#pending = undefined;
        this.#cancelled.push(n);
        reject(signal.reason);
      });
    });
  }

  #answer(
    kind: "list" | "watch",
    step: Readonly<Record<string, unknown>>,
    answer: (pending: Pending) => ListResult<Widget> | ScriptedStream,
  ): void {
    const pending = this.#pending;
    if (pending?.kind !== kind) throw new TypeError(`Couldn't answer: no ${kind} is pending`);
    this.#pending = undefined;
    if (step["error"] === undefined) pending.resolve(answer(pending));
    else pending.reject(answeredError(step["error"]));
  }

  #deliver(notations: readonly unknown[]): void {
    if (this.#stream === undefined) throw new TypeError("Couldn't deliver: no stream is open");
    this.#stream.push(notations.map(watchEvent));
  }
}

function watchEvent(notation: unknown): WatchEvent<Widget> {
  if (!isRecord(notation)) throw new TypeError("Couldn't read an event");
  const { type, object, status } = notation;
  const carried = status === undefined ? widget(object) : statusObject(status);
  // The scripts also send types that a watch does not know.
  return JSON.parse(JSON.stringify({ type, object: carried }));
}
