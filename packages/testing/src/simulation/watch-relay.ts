import { ConnectionResetError } from "@listwatch/fake-apiserver";
import type { Timer } from "@listwatch/core-fifo";
import { onAborted } from "@listwatch/core-fifo/base";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";
import type { ProcessClock } from "./process-clock.ts";
import { eventsOf, type SeenEvent } from "../plan/seen-event.ts";
import type { WatchFault } from "./story.ts";

/** How a watch is passed on to a process. */
export interface WatchRelay {
  readonly clock: SimulatedClock;
  readonly process: ProcessClock;
  /** Ends it at the server. */
  readonly stop: AbortController;
  /** Records that it has ended. */
  readonly end: () => void;
  readonly fault: WatchFault | undefined;
  /** Aborted when there are no more faults. */
  readonly faultsEnd: AbortSignal;
  /** When the fault happens, in milliseconds after the watch was opened. */
  readonly afterMs: number;
  /** Time that a piece of the stream takes, in milliseconds. */
  readonly delayOf: (chunk: number) => number;
  /** Additional time with the fault `watch-slow`, in milliseconds. */
  readonly lateMs: number;
  readonly compact: () => void;
  /** Kills the process. */
  readonly kill: () => void;
  /** Called with each event that reaches the process. */
  readonly see: (event: SeenEvent) => void;
  readonly note: (what: string) => void;
}

/** Passes the body of a watch on, piece by piece and in order, with its fault. */
export function relayWatch(response: Response, relay: WatchRelay): ReadableStream<Uint8Array> {
  const state = new RelayState(relay);
  return new ReadableStream<Uint8Array>({
    start: (target) => {
      const end = (error?: unknown): void => {
        if (!state.finish()) return;
        if (error === undefined) target.close();
        else target.error(error);
      };
      const { signal } = relay.stop;
      signal.addEventListener("abort", () => end(signal.reason), { once: true });
      planFault(relay, state, end);
      const reader = response.body?.getReader();
      if (reader === undefined) return end();
      void pump(reader, relay, state, {
        deliver: (piece) => {
          if (state.isDeadly) return relay.kill();
          for (const event of eventsOf(piece)) {
            const { key, kind, type, version } = event;
            relay.note(`sees ${type} ${kind} ${key} at ${version}`);
            relay.see(event);
          }
          target.enqueue(piece);
        },
        end,
      });
    },
    cancel: () => void state.finish(),
  });
}

/** A watch in transit: its timers, and whether anything still arrives. */
class RelayState {
  readonly #relay: WatchRelay;
  /** Timer of the fault that is planned. */
  #planned: Timer | undefined;
  /** Pieces that arrive later, in their order, with their timers. */
  readonly #arrivals = new Map<() => void, Timer>();
  readonly #forgetEnd: () => void;
  /** When the newest piece arrives: no piece overtakes the one before it. */
  #freeMs = 0;
  #isOver = false;
  isSilent = false;
  /** Whether the next event kills the process. */
  isDeadly = false;

  constructor(relay: WatchRelay) {
    this.#relay = relay;
    this.#forgetEnd = onAborted(relay.faultsEnd, () => this.#catchUp());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Plans the fault. The process may stand still at that time. */
  plan(fault: () => void): void {
    const { afterMs, clock, faultsEnd } = this.#relay;
    if (!faultsEnd.aborted && !this.#isOver) this.#planned = clock.setTimeout(fault, afterMs);
  }

  /** Lets a piece arrive after the ones before it. */
  arrive(delayMs: number, piece: () => void): void {
    const { clock } = this.#relay;
    this.#freeMs = Math.max(this.#freeMs, clock.now() + delayMs);
    this.later(this.#freeMs - clock.now(), piece);
  }

  /** Calls back later, when the process runs, unless the watch is over before. */
  later(ms: number, callback: () => void): void {
    if (this.#isOver) return;
    const timer = this.#relay.process.setTimeout(() => {
      this.#arrivals.delete(callback);
      callback();
    }, ms);
    this.#arrivals.set(callback, timer);
  }

  /** Ends the watch at the server. Returns false if it was over already. */
  finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#forgetEnd();
    this.#planned?.cancel();
    // Pieces that have not arrived never do.
    for (const timer of this.#arrivals.values()) timer.cancel();
    this.#relay.end();
    this.#relay.stop.abort(new ConnectionResetError("The watch has ended"));
    return true;
  }

  /** There are no more faults: none is to come, and what is late arrives now. */
  #catchUp(): void {
    this.#planned?.cancel();
    this.isDeadly = false;
    this.#freeMs = 0;
    const arrivals = [...this.#arrivals];
    this.#arrivals.clear();
    for (const [callback, timer] of arrivals) {
      timer.cancel();
      this.later(0, callback);
    }
  }
}

function planFault(
  { compact, fault, note }: WatchRelay,
  state: RelayState,
  end: (error?: unknown) => void,
): void {
  if (fault === undefined || fault === "watch-slow") return;
  state.plan(() => {
    note(fault);
    if (fault === "watch-expired") compact();
    if (fault === "watch-silence") state.isSilent = true;
    else if (fault === "watch-killed") state.isDeadly = true;
    else {
      const error = fault === "watch-reset" ? new ConnectionResetError() : undefined;
      state.later(0, () => end(error));
    }
  });
}

interface Target {
  readonly deliver: (piece: Uint8Array) => void;
  readonly end: (error?: unknown) => void;
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { delayOf, fault, faultsEnd, lateMs }: WatchRelay,
  state: RelayState,
  { deliver, end }: Target,
): Promise<void> {
  const arrive = (index: number, then: () => void): void => {
    const extraMs = fault === "watch-slow" && !faultsEnd.aborted ? lateMs : 0;
    state.arrive(delayOf(index) + extraMs, () => {
      if (!state.isSilent) then();
    });
  };
  for (let index = 0; !state.isOver; index++) {
    try {
      const { done, value } = await reader.read();
      if (done) return arrive(index, () => end());
      arrive(index, () => deliver(value));
    } catch (error) {
      return arrive(index, () => end(error));
    }
  }
}
