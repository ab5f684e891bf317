import { ConnectionResetError, type FakeApiServer } from "@listwatch/fake-apiserver";
import { sleep, type Clock } from "@listwatch/core-fifo";
import { linkAbort } from "@listwatch/core-fifo/base";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";
import { type Call, callOf } from "../plan/call.ts";
import { delayOf, drawFor } from "./delays.ts";
import { CacheView } from "./cache-view.ts";
import type { ProcessClock } from "./process-clock.ts";
import type { Fault, Story, WatchFault } from "./story.ts";
import type { Trace } from "../plan/trace.ts";
import { relayWatch } from "./watch-relay.ts";

/** The world, as far as the network of a process needs it. */
export interface NetworkWorld {
  readonly clock: SimulatedClock;
  readonly server: FakeApiServer;
  readonly story: Story;
  readonly trace: Trace;
  /** Aborted when there are no more faults. */
  readonly faultsEnd: AbortSignal;
  /** Returns the fault of a request, if it has one, and remembers that it was used. */
  faultFor(request: string, call: FaultyCall): Fault | undefined;
  /** Called when the answer of a request comes before that of an earlier one. */
  noteReordered(kind: string): void;
  /** Ends the run with an error that is none of the program. */
  fail(error: unknown): void;
  /** Called with the error of a process that crashes. */
  noteCrash(who: string, error: unknown): void;
  /** Called when a process does more and more, and lets no time pass. */
  noteStuck(who: string): void;
  /** Called with the server's message when the roles of the program do not allow a request. */
  noteRefusal(who: string, message: string): void;
  /** Called with each write that the server has answered. */
  noteWrite(who: string, call: Call, status: number): void;
  /** Forgets the history of the server. */
  compact(): void;
}

/** A request that may have a fault. */
export interface FaultyCall {
  /** Method, resource and subresource, such as `POST v1 pods`. */
  readonly kind: string;
  /** Group of the faults that it may have. */
  readonly faults: "requests" | "watches" | "webhooks";
  /** Description of what the process has done before. */
  readonly state: string;
}

/** The requests of all lives of one process, and the faults that they meet. */
export class Network {
  readonly #world: NetworkWorld;
  readonly #who: string;
  readonly #kill: (afterMs: number) => void;
  readonly #counts = new Map<string, number>();

  /** @param kill ends the process at once; it starts again after some milliseconds */
  constructor(world: NetworkWorld, who: string, kill: (afterMs: number) => void) {
    this.#world = world;
    this.#who = who;
    this.#kill = kill;
  }

  /** Opens the network for one life of the process. */
  open(clock: ProcessClock, number: number): NetworkLife {
    return new NetworkLife(this.#world, {
      who: this.#who,
      clock,
      begin: number === 0 ? "the start" : "a restart",
      kill: this.#kill,
      number: (text) => this.#number(text),
    });
  }

  #number(text: string): number {
    const count = this.#counts.get(text) ?? 0;
    this.#counts.set(text, count + 1);
    return count;
  }
}

/** One life of a process, as far as its connections need it. */
interface NetworkOwner {
  readonly who: string;
  readonly clock: ProcessClock;
  /** How it began, in the state of its first requests. */
  readonly begin: string;
  readonly kill: (afterMs: number) => void;
  /** Returns how many requests of the same text came before, in all lives. */
  readonly number: (text: string) => number;
}

/** The connections of one life of a process. After its end nothing reaches the server. */
export class NetworkLife {
  readonly #world: NetworkWorld;
  readonly #who: string;
  readonly #clock: ProcessClock;
  readonly #owner: NetworkOwner;
  /**
   * Requests that have not ended, by what ends them at the server. They are held here, since Node
   * aborts the signal of a request only as long as the request is not garbage.
   */
  readonly #open = new Map<AbortController, Request>();
  /** Requests without an answer, other than watches, oldest first. */
  readonly #unanswered = new Set<string>();
  readonly #cache = new CacheView();
  #state: string;
  #isCut = false;

  constructor(world: NetworkWorld, owner: NetworkOwner) {
    this.#world = world;
    this.#who = owner.who;
    this.#clock = owner.clock;
    this.#owner = owner;
    this.#state = `after ${owner.begin}`;
  }

  /** Number of requests and watches that have not ended. */
  get openRequests(): number {
    return this.#open.size;
  }

  /** Ends everything at the server. The process gets no answer any more, not even an error. */
  cut(): void {
    this.#isCut = true;
    const reason = new ConnectionResetError("The process was killed");
    for (const stop of this.#open.keys()) stop.abort(reason);
    this.#open.clear();
  }

  readonly fetch = (request: Request): Promise<Response> => {
    // A process that is gone notices nothing.
    if (this.#isCut) return new Promise(() => undefined);
    const call = callOf(request);
    const key = `${this.#who} ${call.text} #${this.#owner.number(call.text)}`;
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      this.#open.set(stop, request);
      const end = (): void => void this.#open.delete(stop);
      const { signal } = request;
      const fail = (error: unknown): void => {
        if (this.#isCut) return;
        end();
        reject(error);
      };
      const onAbort = (): void => {
        stop.abort(signal.reason);
        fail(signal.reason);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      const pass = (response: Response): void => {
        if (!this.#isCut) resolve(response);
      };
      this.#send(request, { call, key, stop, end }).then(pass, fail);
    });
  };

  async #send(request: Request, exchange: Exchange): Promise<Response> {
    const { call, key, stop } = exchange;
    const { server, trace } = this.#world;
    await this.#delay(key, "request", stop.signal, this.#world.clock);
    const faults = call.isWatch ? "watches" : "requests";
    const fault = this.#world.faultFor(key, { kind: call.kind, faults, state: this.#state });
    const cached = call.isWrite ? this.#cache.describe(call.place) : "";
    trace.add(this.#who, `→ ${call.text}${cached}${fault === undefined ? "" : ` (${fault})`}`);
    if (!call.isWatch) this.#unanswered.add(key);
    if (fault === "killed-before") return this.#die(key);
    if (fault === "reset") return this.#reset(exchange);
    if (fault === "429" || fault === "500" || fault === "503") {
      await this.#delay(key, "answer", stop.signal);
      trace.add(this.#who, `← ${fault} ${call.text}`);
      this.#answered(exchange);
      return refusal(Number(fault));
    }
    if (this.#isCut) this.#world.fail(new Error(`A request of a process that was killed: ${key}`));
    const response = await server.fetch(new Request(request, { signal: stop.signal }));
    if (call.isWrite) this.#world.noteWrite(this.#who, call, response.status);
    if (call.isWrite && response.ok) this.#state = `after ${call.kind}`;
    if (fault === "killed-after") return this.#die(key);
    if (call.isWatch && response.ok) return this.#watch(response, exchange, fault);
    const body = response.body === null ? null : await response.arrayBuffer();
    if (fault === "silence") return new Promise(() => undefined);
    if (fault === "lost-answer") return this.#reset(exchange);
    if (fault === "slow") {
      await this.#beLate(5000 + 25_000 * drawFor(this.#world.story, key, "slow"), stop.signal);
    }
    await this.#delay(key, "answer", stop.signal);
    trace.add(this.#who, `← ${response.status} ${call.text}`);
    this.#answered(exchange);
    const { headers, status, statusText } = response;
    return new Response(body, { headers, status, statusText });
  }

  /** The process is killed at a request, which never ends for it. */
  #die(key: string): Promise<never> {
    this.#owner.kill(100 + 10_000 * drawFor(this.#world.story, key, "killed"));
    return new Promise(() => undefined);
  }

  #answered({ call, end, key }: Exchange): void {
    const [oldest] = this.#unanswered;
    this.#unanswered.delete(key);
    if (oldest !== undefined && oldest !== key) this.#world.noteReordered(call.kind);
    end();
  }

  /** The process learns that its connection broke. */
  async #reset({ call, key, stop }: Exchange): Promise<never> {
    this.#unanswered.delete(key);
    await this.#delay(key, "answer", stop.signal);
    this.#world.trace.add(this.#who, `← connection reset ${call.text}`);
    throw new ConnectionResetError();
  }

  async #watch(
    response: Response,
    { call, end, key, stop }: Exchange,
    fault: string | undefined,
  ): Promise<Response> {
    const { clock, faultsEnd, story, trace } = this.#world;
    await this.#delay(key, "answer", stop.signal);
    trace.add(this.#who, `← ${response.status} ${call.text}`);
    const { headers, status, statusText } = response;
    const body = relayWatch(response, {
      clock,
      process: this.#clock,
      stop,
      end,
      fault: watchFaults.find((name) => name === fault),
      faultsEnd,
      afterMs: 60_000 * drawFor(story, key, "watch"),
      delayOf: (chunk) => delayOf(story, key, `chunk ${chunk}`),
      lateMs: 5000 + 25_000 * drawFor(story, key, "late"),
      compact: () => this.#world.compact(),
      kill: () => void this.#die(key),
      note: (what) => trace.add(this.#who, `${what} (${call.text})`),
      see: (event) => this.#cache.see(call.place, event),
    });
    return new Response(body, { headers, status, statusText });
  }

  /** Waits, at most until there are no more faults. */
  async #beLate(ms: number, stop: AbortSignal): Promise<void> {
    const late = linkAbort(stop, this.#world.faultsEnd);
    try {
      await sleep(ms, { clock: this.#clock, signal: late.signal });
    } catch {
      stop.throwIfAborted();
    } finally {
      late.release();
    }
  }

  /** Waits as long as a request or an answer takes. A process that is paused gets answers late. */
  #delay(
    key: string,
    what: string,
    signal: AbortSignal,
    clock: Clock = this.#clock,
  ): Promise<void> {
    return sleep(delayOf(this.#world.story, key, what), { clock, signal });
  }
}

/** A request that has no answer yet. */
interface Exchange {
  readonly call: Call;
  readonly key: string;
  /** Ends it at the server. */
  readonly stop: AbortController;
  /** Records that it has ended. */
  readonly end: () => void;
}

const watchFaults: readonly WatchFault[] = [
  "watch-reset",
  "watch-end",
  "watch-silence",
  "watch-slow",
  "watch-expired",
  "watch-killed",
];

const reasons: Readonly<Record<number, string>> = {
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
};

function refusal(code: number): Response {
  const reason = reasons[code] ?? "Unknown";
  const message = `The simulation refuses the request with ${code}`;
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message };
  const headers = {
    "content-type": "application/json",
    ...(code === 429 ? { "retry-after": "1" } : {}),
  };
  return new Response(JSON.stringify({ ...status, reason, code }), { status: code, headers });
}
