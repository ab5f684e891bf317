import { useSyncExternalStore } from "react";
import type { Informer } from "listwatch";

/** The informer's current problem, checked each second; `undefined` if there is none. */
export function useProblem<T>(informer: Informer<T>) {
  return useSyncExternalStore(eachSecond, () => informer.status().problem?.reason);
}

function eachSecond(render: () => void) {
  const timer = setInterval(render, 1000);
  return () => {
    clearInterval(timer);
  };
}
