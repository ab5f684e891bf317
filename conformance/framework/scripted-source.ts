// The list/watch source of the reflector and informer recordings. It responds when the script does,
// and records its requests.
import type { Clock } from "@listwatch/core-fifo";
import type { ListOptions, WatchEvent, WatchOptions, RequestContext } from "@listwatch/client";
import type { ListerWatcher, ListResult, WatchStream } from "@listwatch/reflector";
import { count, isRecord } from "./values.ts";
import { errorOf, statusOf, widgetOf, type Widget } from "./widgets.ts";

export interface MadeRequest {
  readonly n: number;
  readonly kind: "list" | "watch";
  /** Time since the beginning of the step. */
  readonly atMs: number;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Events at the source during a step. */
export interface SourceHappenings {
  readonly requests: MadeRequest[];
  readonly cancelled: number[];
  readonly streamStopped: number[];
}

interface Pending {
  readonly n: number;
  readonly kind: "list" | "watch";
  answer(answer: unknown): void;
  refuse(error: unknown): void;
}

/** A source with at most one pending request and at most one open stream. */
export class ScriptedSource implements ListerWatcher<Widget> {
  readonly watchListSupported: boolean;
  readonly #clock: Clock;
  #stepMs = 0;
  #requests = 0;
  #pending: Pending | undefined;
  #stream: ScriptedStream | undefined;
  #happenings: SourceHappenings = { requests: [], cancelled: [], streamStopped: [] };

  constructor(clock: Clock, options: { readonly watchListSupported: boolean }) {
    this.#clock = clock;
    this.watchListSupported = options.watchListSupported;
  }

  /** Begins a step: resets the time and the recorded events. */
  beginStep(): void {
    this.#stepMs = this.#clock.now();
    this.#happenings = { requests: [], cancelled: [], streamStopped: [] };
  }

  get happenings(): SourceHappenings {
    return this.#happenings;
  }

  /** Kind of the pending request. */
  get pending(): "list" | "none" | "watch" {
    return this.#pending?.kind ?? "none";
  }

  async list(options: ListOptions, { signal }: RequestContext): Promise<ListResult<Widget>> {
    const answer = await this.#request("list", options, signal);
    if (!isListResult(answer)) throw new TypeError("Couldn't answer a list: expected a document");
    return answer;
  }

  async watch(options: WatchOptions, { signal }: RequestContext): Promise<WatchStream<Widget>> {
    await this.#request("watch", options, signal);
    const n = this.#requests;
    const stream = new ScriptedStream(signal, () => this.#happenings.streamStopped.push(n));
    this.#stream = stream;
    return stream;
  }

  perform(step: Readonly<Record<string, unknown>>): void {
    const { events, event } = step;
    switch (step["do"]) {
      case "answerList":
      case "answerWatch":
        if ("error" in step) this.#taken().refuse(errorOf(step["error"]));
        else this.#taken().answer(step["do"] === "answerList" ? listOf(step) : undefined);
        break;
      case "event":
        this.#stream?.deliver(eventOf(event));
        break;
      case "events":
        for (const one of Array.isArray(events) ? events : []) this.#stream?.deliver(eventOf(one));
        break;
      case "closeWatch":
        this.#stream?.close();
        break;
      default:
        throw new TypeError(`Couldn't perform the step: unknown ${String(step["do"])}`);
    }
  }

  #taken(): Pending {
    const pending = this.#pending;
    if (pending === undefined) throw new Error("Couldn't answer: no request is pending");
    this.#pending = undefined;
    return pending;
  }

  #request(
    kind: "list" | "watch",
    options: ListOptions | WatchOptions,
    signal: AbortSignal,
  ): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#pending !== undefined) throw new Error("Couldn't ask: another request is pending");
    const n = ++this.#requests;
    const atMs = this.#clock.now() - this.#stepMs;
    this.#happenings.requests.push({ n, kind, atMs, options: { ...options } });
    return new Promise((resolve, reject) => {
      const settle = (): void => signal.removeEventListener("abort", onAbort);
      const onAbort = (): void => {
        this.#pending = undefined;
        this.#happenings.cancelled.push(n);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#pending = {
        n,
        kind,
        answer: (answer) => {
          settle();
          resolve(answer);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
    });
  }
}

class ScriptedStream implements AsyncIterable<WatchEvent<Widget>> {
  readonly #events: WatchEvent<Widget>[] = [];
  readonly #onStop: () => void;
  readonly #signal: AbortSignal;
  #state: "open" | "closed" | "stopped" = "open";
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal, onStop: () => void) {
    this.#onStop = onStop;
    this.#signal = signal;
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  deliver(event: WatchEvent<Widget>): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** Ends the stream from the server's side. */
  close(): void {
    this.#end("closed");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<Widget>, undefined> {
    try {
      for (;;) {
        const event = this.#state === "stopped" ? undefined : this.#events.shift();
        if (event !== undefined) {
          yield event;
        } else if (this.#state === "open") {
          await new Promise<void>((resolve) => (this.#wake = resolve));
        } else {
          this.#signal.throwIfAborted();
          return undefined;
        }
      }
    } finally {
      this.#stop();
    }
  }

  readonly #stop = (): void => {
    if (this.#state === "open") this.#onStop();
    this.#end("stopped");
  };

  #end(state: "closed" | "stopped"): void {
    if (this.#state !== "open") return;
    this.#state = state;
    this.#signal.removeEventListener("abort", this.#stop);
    this.#wake?.();
  }
}

function listOf(step: Readonly<Record<string, unknown>>): unknown {
  const { items, raw, resourceVersion } = step;
  // A table has rows, but a source always returns items.
  if (isRecord(raw)) return { items: [], ...raw };
  return {
    apiVersion: "example.com/v1",
    kind: "WidgetList",
    metadata: { resourceVersion, continue: step["continue"] },
    items: (Array.isArray(items) ? items : []).map((item) => widgetOf(item)),
  };
}

function isListResult(value: unknown): value is ListResult<Widget> {
  return isRecord(value);
}

function eventOf(notation: unknown): WatchEvent<Widget> {
  if (!isRecord(notation)) throw new TypeError("Couldn't read an event: expected its notation");
  const { object, status, type } = notation;
  const event = { type, object: status === undefined ? widgetOf(object) : statusOf(status) };
  if (!isEvent(event)) throw new TypeError("Couldn't read an event: expected a type");
  return event;
}

function isEvent(event: { type: unknown; object: unknown }): event is WatchEvent<Widget> {
  return typeof event.type === "string";
}

/** Describes how requests differ from the recorded ones; `undefined` if they do not. */
export function compareRequests(
  recorded: readonly unknown[],
  made: readonly MadeRequest[],
): string | undefined {
  if (recorded.length !== made.length) {
    return `expected ${recorded.length} requests, got ${JSON.stringify(made)}`;
  }
  for (const [index, request] of made.entries()) {
    const expected = recorded[index];
    if (!isRecord(expected) || !matches(expected, request)) {
      return `expected the request ${JSON.stringify(expected)}, got ${JSON.stringify(request)}`;
    }
  }
  return undefined;
}

function matches(expected: Readonly<Record<string, unknown>>, made: MadeRequest): boolean {
  if (expected["n"] !== made.n || expected["kind"] !== made.kind) return false;
  const time = expected["betweenMs"] ?? [count(expected, "atMs"), count(expected, "atMs")];
  if (!isWithin(made.atMs, time)) return false;
  const options = isRecord(expected["options"]) ? expected["options"] : {};
  const names = new Set([...Object.keys(options), ...Object.keys(made.options)]);
  for (const name of names) {
    const [wanted, got] = [options[name], made.options[name]];
    if (name === "resourceVersion" ? (wanted ?? "") === (got ?? "") : wanted === got) continue;
    if (name === "timeoutSeconds" && Number.isInteger(got) && isWithin(got, wanted)) continue;
    return false;
  }
  return true;
}

/** Whether a number is in `[low, high)`, or equals the one number of `[low, low]`. */
function isWithin(value: unknown, range: unknown): boolean {
  if (!Array.isArray(range) || typeof value !== "number") return false;
  const [low, high]: unknown[] = range;
  if (typeof low !== "number" || typeof high !== "number") return false;
  return value === low || (value > low && value < high);
}
