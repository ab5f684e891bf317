import { sleep } from "@listwatch/core-fifo";
import type { RunContext } from "./run-context.ts";
import type { Listing, Memory, State, StreamingList, Waiting } from "./state.ts";
import { WatchSession } from "./watch-session.ts";

/** Begins a list, streamed if the user wants it so and the server has not refused it lately. */
export function beginList<T>(context: RunContext<T>, memory: Memory): Listing | StreamingList<T> {
  const { clock, list, listerWatcher } = context.settings;
  const isStreamed =
    list.watchList &&
    listerWatcher.watchListSupported !== false &&
    clock.now() >= memory.watchListRefusedUntilMs;
  if (!isStreamed) return { kind: "listing", memory, isStreamRefused: false };
  const session = new WatchSession(context);
  return { kind: "streamingList", memory, session, connection: undefined };
}

/** A delay, and then a certain state; no delay when the run is over. */
export function delay<T>(
  { delays, settings, signal }: RunContext<T>,
  cause: unknown,
  then: Waiting<T>["then"],
): State<T> {
  if (signal.aborted) return then;
  const delayMs = delays.nextMs(cause);
  return { kind: "waiting", delayMs, untilMs: settings.clock.now() + delayMs, then };
}

/** A delay, and then a new list. */
export function relist<T>(context: RunContext<T>, memory: Memory, cause: unknown): State<T> {
  const state = delay(context, cause, { kind: "idle", memory });
  if (state.kind === "waiting") {
    const { delayMs } = state;
    context.reports.trace({ kind: "relist", reflector: context.settings.name, cause, delayMs });
  }
  return state;
}

/** Waits; ends early, without a failure, when the run or the session ends. */
export async function wait<T>(context: RunContext<T>, state: Waiting<T>): Promise<State<T>> {
  const { then } = state;
  const signal = then.kind === "idle" ? context.signal : then.session.signal;
  try {
    await sleep(state.delayMs, { clock: context.settings.clock, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (then.kind !== "idle" || signal.aborted) return then;
  return beginList(context, then.memory);
}
