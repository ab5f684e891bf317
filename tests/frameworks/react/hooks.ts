import { useMemo, useSyncExternalStore } from "react";
import type { IndexValues, Informer, InformerProblem } from "listwatch";
import { objectsOf } from "./objects-of.ts";

/** All objects of an informer. */
export function useInformer<T, I extends IndexValues>(informer: Informer<T, I>) {
  const { subscribe, snapshot } = useMemo(() => objectsOf(informer), [informer]);
  return useSyncExternalStore(subscribe, snapshot);
}

/** The objects with this value of an index. */
export function useIndex<T, I extends IndexValues, N extends keyof I & string>(
  informer: Informer<T, I>,
  name: N,
  value: I[N],
) {
  const { subscribe, snapshot } = useMemo(
    () => objectsOf(informer, () => informer.store.byIndex(name, value)),
    [informer, name, value],
  );
  return useSyncExternalStore(subscribe, snapshot);
}

/** One object; `undefined` if there is none. */
export function useObject<T, I extends IndexValues>(informer: Informer<T, I>, key: string) {
  const { subscribe, snapshot } = useMemo(() => {
    const read = () => [informer.store.getByKey(key)].filter((object) => object !== undefined);
    return objectsOf(informer, read);
  }, [informer, key]);
  return useSyncExternalStore(subscribe, snapshot)[0];
}

/** The informer's current problem, checked each second; `undefined` if there is none. */
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
