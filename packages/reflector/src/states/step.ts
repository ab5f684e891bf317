import type { KubernetesObject } from "@listwatch/core-fifo";
import { list } from "./listing.ts";
import type { RunContext } from "../services/run-context.ts";
import { stop, type State } from "./state.ts";
import { streamList } from "./streaming-list.ts";
import { beginList, wait } from "./waiting.ts";
import { watch } from "./watching.ts";

/**
 * Does one thing, such as a request, the reading of one connection or a wait, and returns the next
 * state. Every way to end a run leads through here: a step that is interrupted by the end of the
 * run returns any state, and the next step closes what that state holds.
 */
export async function step<T extends KubernetesObject>(
  context: RunContext<T>,
  state: State<T>,
): Promise<State<T>> {
  if (context.signal.aborted) return stop(state);
  switch (state.kind) {
    case "idle":
    case "stopped":
      return beginList(context, state.memory);
    case "listing":
      return list(context, state);
    case "streamingList":
      return streamList(context, state);
    case "watching":
      return watch(context, state);
    case "waiting":
  }
  return wait(context, state);
}
