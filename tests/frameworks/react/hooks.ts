import { useMemo, useSyncExternalStore } from "react";
import type { IndexValues, Informer, InformerProblem } from "listwatch";
import { objectsOf } from "./objects-of.ts";

export function useObjects<T, I extends IndexValues>(informer: Informer<T, I>) {
  const { subscribe, snapshot } = useMemo(() => objectsOf(informer), [informer]);
  return useSyncExternalStore(subscribe, snapshot);
}

/** The informer's current problem, checked each second; `undefined` if it is. */
export function useProblem<T, I extends IndexValues>(
  informer: Informer<T, I>,
): InformerProblem["reason"] | undefined {
  return useSyncExternalStore(eachSecond, () => informer.status().problem?.reason);
}

function eachSecond(render: () => void) {
  const timer = setInterval(render, 1000);
  return () => {
    clearInterval(timer);
  };
}
