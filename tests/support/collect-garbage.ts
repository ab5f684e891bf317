import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the collector of garbage. Only on Node, whose `fetch` loses signals to it. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** Collects garbage. */
export async function collectGarbage(): Promise<void> {
  const collect = garbageCollector();
  for (let round = 0; round < 3; round++) {
    // An object returned by a WeakRef stays alive until the turn ends.
    await nextTurn();
    collect();
  }
}
