import { sleep } from "@listwatch/core-fifo";
import type { RunContext } from "../services/services.ts";
import type { Listing, State, StreamingList, Waiting } from "./state.ts";
import { WatchSession } from "../session/watch-session.ts";

/** Begins a list, streamed where that is possible. */
export function beginList<T>(context: RunContext<T>): Listing | StreamingList<T> {
  if (!context.history.isStreamable) return { kind: "listing", isStreamRefused: false };
  const session = new WatchSession(context);
  return { kind: "streamingList", session, cuts: 0, connection: undefined };
}

/** Begins the delay, or waits for its end; ends early when the run or the session ends. */
export async function wait<T>(context: RunContext<T>, state: Waiting<T>): Promise<State<T>> {
  const { delay, then } = state;
  if (delay === undefined) return beginDelay(context, state);
  const signal = then.kind === "idle" ? context.signal : then.session.signal;
  // Rejects with the abort only.
  await sleep(delay.ms, { clock: context.settings.clock, signal }).catch(() => undefined);
  if (then.kind !== "idle" || signal.aborted) return then;
  return beginList(context);
}

function beginDelay<T>(context: RunContext<T>, state: Waiting<T>): Waiting<T> {
  const { delays, history, reports, settings } = context;
  const { cause } = state;
  const delayMs = delays.nextMs(state);
  history.noteDelay(delayMs);
  if (state.then.kind === "idle") {
    reports.trace({ kind: "relist", reflector: settings.name, cause, delayMs });
  }
  return { ...state, delay: { ms: delayMs, untilMs: settings.clock.now() + delayMs } };
}
