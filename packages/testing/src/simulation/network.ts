import { ConnectionResetError, type FakeApiServer } from "@listwatch/fake-apiserver";
import { sleep, type Clock } from "@listwatch/core-fifo";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";
import { type Call, callOf } from "./call.ts";
import { draw } from "./draw.ts";
import type { ProcessClock } from "./process-clock.ts";
import type { RequestFault, Story, WatchFault } from "./story.ts";
import type { Trace } from "./trace.ts";
import { relayWatch } from "./watch-relay.ts";

/** The world, as far as the network of a process needs it. */
export interface NetworkWorld {
  readonly clock: SimulatedClock;
  readonly server: FakeApiServer;
  readonly story: Story;
  readonly trace: Trace;
  /** Returns the fault of a request, if it has one, and remembers that it was used. */
  faultFor(request: string, call: Call): RequestFault | WatchFault | undefined;
  /** Called with each write that the server has answered. */
  noteWrite(who: string, call: Call, status: number): void;
  /** Forgets the history of the server. */
  compact(): void;
}

/** Longest usual time that a request or an answer takes, in milliseconds. */
const usualMs = 20;
/** Share of requests and answers that take up to 50 times as long. */
const rareShare = 0.05;

/** The requests of all lives of one process, and the faults that they meet. */
export class Network {
  readonly #world: NetworkWorld;
  readonly #who: string;
  readonly #counts = new Map<string, number>();

  constructor(world: NetworkWorld, who: string) {
    this.#world = world;
    this.#who = who;
  }

  /** Opens the network for one life of the process. */
  open(clock: ProcessClock): NetworkLife {
    return new NetworkLife(this.#world, this.#who, clock, (text) => this.#number(text));
  }

  #number(text: string): number {
    const count = this.#counts.get(text) ?? 0;
    this.#counts.set(text, count + 1);
    return count;
  }
}

/** The connections of one life of a process. After its end nothing reaches the server. */
export class NetworkLife {
  readonly #world: NetworkWorld;
  readonly #who: string;
  readonly #clock: ProcessClock;
  readonly #number: (text: string) => number;
  readonly #open = new Set<AbortController>();
  #isCut = false;

  constructor(
    world: NetworkWorld,
    who: string,
    clock: ProcessClock,
    number: (text: string) => number,
  ) {
    this.#world = world;
    this.#who = who;
    this.#clock = clock;
    this.#number = number;
  }

  /** Number of requests and watches that have not ended. */
  get openRequests(): number {
    return this.#open.size;
  }

  /** Ends everything at the server. The process gets no answer any more, not even an error. */
  cut(): void {
    this.#isCut = true;
    for (const stop of this.#open) stop.abort(new ConnectionResetError("The process was killed"));
    this.#open.clear();
  }

  readonly fetch = (request: Request): Promise<Response> => {
    // A process that is gone notices nothing.
    if (this.#isCut) return new Promise(() => undefined);
    const call = callOf(request);
    const key = `${this.#who} ${call.text} #${this.#number(call.text)}`;
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      this.#open.add(stop);
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
    const fault = this.#world.faultFor(key, call);
    trace.add(this.#who, `→ ${call.text}${fault === undefined ? "" : ` (${fault})`}`);
    if (fault === "reset") return this.#reset(exchange);
    if (fault === "429" || fault === "500" || fault === "503") {
      await this.#delay(key, "answer", stop.signal);
      trace.add(this.#who, `← ${fault} ${call.text}`);
      exchange.end();
      return refusal(Number(fault));
    }
    const response = await server.fetch(new Request(request, { signal: stop.signal }));
    if (call.isWrite) this.#world.noteWrite(this.#who, call, response.status);
    if (call.isWatch && response.ok) return this.#watch(response, exchange, fault);
    const body = response.body === null ? null : await response.arrayBuffer();
    if (fault === "silence") return new Promise(() => undefined);
    if (fault === "lost-answer") return this.#reset(exchange);
    if (fault === "slow") {
      const lateMs = 5000 + 25_000 * this.#draw(key, "slow");
      await sleep(lateMs, { clock: this.#clock, signal: stop.signal });
    }
    await this.#delay(key, "answer", stop.signal);
    trace.add(this.#who, `← ${response.status} ${call.text}`);
    exchange.end();
    const { headers, status, statusText } = response;
    return new Response(body, { headers, status, statusText });
  }

  /** The process learns that its connection broke. */
  async #reset({ call, key, stop }: Exchange): Promise<never> {
    await this.#delay(key, "answer", stop.signal);
    this.#world.trace.add(this.#who, `← connection reset ${call.text}`);
    throw new ConnectionResetError();
  }

  async #watch(
    response: Response,
    { call, end, key, stop }: Exchange,
    fault: string | undefined,
  ): Promise<Response> {
    const { clock, trace } = this.#world;
    await this.#delay(key, "answer", stop.signal);
    trace.add(this.#who, `← ${response.status} ${call.text}`);
    const { headers, status, statusText } = response;
    const body = relayWatch(response, {
      clock,
      process: this.#clock,
      stop,
      end,
      fault: watchFaults.find((name) => name === fault),
      afterMs: 60_000 * this.#draw(key, "watch"),
      delayOf: (chunk) => this.#delayOf(key, `chunk ${chunk}`),
      lateMs: 5000 + 25_000 * this.#draw(key, "late"),
      compact: () => this.#world.compact(),
      note: (what) => trace.add(this.#who, `${what} (${call.text})`),
    });
    return new Response(body, { headers, status, statusText });
  }

  #draw(key: string, what: string): number {
    return this.#world.story.order === "plain" ? 0.5 : draw(this.#world.story.seed, key, what);
  }

  #delayOf(key: string, what: string): number {
    if (this.#world.story.order === "plain") return 1;
    const share = this.#draw(key, what);
    const isRare = this.#draw(key, `${what} rare`) < rareShare;
    return 0.1 + usualMs * share * (isRare ? 50 : 1);
  }

  /** Waits as long as a request or an answer takes. A process that is paused gets answers late. */
  #delay(
    key: string,
    what: string,
    signal: AbortSignal,
    clock: Clock = this.#clock,
  ): Promise<void> {
    return sleep(this.#delayOf(key, what), { clock, signal });
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
