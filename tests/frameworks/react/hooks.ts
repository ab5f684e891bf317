import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Cached, IndexValues, Informer } from "listwatch";
import { objectsOf } from "./objects-of.ts";

/** All objects of an informer, or those that `read` returns, a function that stays the same. */
export function useInformer<T>(informer: Informer<T>, read?: () => Cached<T>[]) {
  const { subscribe, snapshot } = useMemo(() => objectsOf(informer, read), [informer, read]);
  return useSyncExternalStore(subscribe, snapshot);
}

/** The objects with this value of an index. */
export function useIndex<T, I extends IndexValues, N extends keyof I & string>(
  informer: Informer<T, I>,
  name: N,
  value: I[N],
) {
  const read = useCallback(() => informer.store.byIndex(name, value), [informer, name, value]);
  return useInformer(informer, read);
}

/** One object; `undefined` if there is none. */
export function useObject<T>(informer: Informer<T>, key: string) {
  const read = useCallback(() => [informer.store.getByKey(key)!], [informer, key]);
  return useInformer(informer, read).at(0);
}
