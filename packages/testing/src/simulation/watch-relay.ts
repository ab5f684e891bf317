import { ConnectionResetError } from "@listwatch/fake-apiserver";
import type { Clock, Timer } from "@listwatch/core-fifo";
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
  readonly #timers = new Set<Timer>();
  #isOver = false;
  isSilent = false;
  /** Whether the next event kills the process. */
  isDeadly = false;

  constructor(relay: WatchRelay) {
    this.#relay = relay;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls back later, unless the watch is over before. */
  later(clock: Clock, ms: number, callback: () => void): void {
    if (this.#isOver) return;
    const timer = clock.setTimeout(() => {
      this.#timers.delete(timer);
      callback();
    }, ms);
    this.#timers.add(timer);
  }

  /** Ends the watch at the server. Returns false if it was over already. */
  finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    // Pieces that have not arrived never do.
    for (const timer of this.#timers) timer.cancel();
    this.#relay.end();
    this.#relay.stop.abort(new ConnectionResetError("The watch has ended"));
    return true;
  }
}

function planFault(
  { afterMs, clock, compact, fault, note, process }: WatchRelay,
  state: RelayState,
  end: (error?: unknown) => void,
): void {
  if (fault === undefined || fault === "watch-slow") return;
  state.later(clock, afterMs, () => {
    note(fault);
    if (fault === "watch-expired") compact();
    if (fault === "watch-silence") state.isSilent = true;
    else if (fault === "watch-killed") state.isDeadly = true;
    else {
      const error = fault === "watch-reset" ? new ConnectionResetError() : undefined;
      // A process that is paused notices it afterwards.
      state.later(process, 0, () => end(error));
    }
  });
}

interface Target {
  readonly deliver: (piece: Uint8Array) => void;
  readonly end: (error?: unknown) => void;
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { clock, delayOf, fault, lateMs, process }: WatchRelay,
  state: RelayState,
  { deliver, end }: Target,
): Promise<void> {
  let freeMs = 0;
  const arrive = (index: number, then: () => void): void => {
    const extraMs = fault === "watch-slow" ? lateMs : 0;
    // A piece never overtakes the one before it.
    freeMs = Math.max(freeMs, clock.now() + delayOf(index) + extraMs);
    state.later(process, freeMs - clock.now(), () => {
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
