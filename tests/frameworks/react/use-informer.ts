import { useCallback, useRef, useSyncExternalStore } from "react";
import type { Cached, Informer, IndexValues } from "listwatch";

/** All objects of an informer. The array is another one after a frame with changes. */
export function useInformer<T, I extends IndexValues>(informer: Informer<T, I>) {
  return useArray(informer, () => informer.store.list());
}

/** The objects with this value of an index. */
export function useIndex<T, I extends IndexValues, N extends keyof I & string>(
  informer: Informer<T, I>,
  name: N,
  value: I[N],
) {
  return useArray(informer, () => informer.store.byIndex(name, value));
}

/** One object; `undefined` if there is none. */
export function useObject<T, I extends IndexValues>(informer: Informer<T, I>, key: string) {
  return useSyncExternalStore(useFrames(informer), () => informer.store.getByKey(key));
}

/** Keeps an array until one of its objects has changed: a cached object never does. */
function useArray<T, I extends IndexValues>(informer: Informer<T, I>, read: () => Cached<T>[]) {
  const last = useRef<readonly Cached<T>[]>([]);
  return useSyncExternalStore(useFrames(informer), () => {
    const now = read();
    const isSame = now.length === last.current.length && now.every((o, i) => o === last.current[i]);
    return isSame ? last.current : (last.current = now);
  });
}

/** Renders at most once a frame. */
function useFrames<T, I extends IndexValues>(informer: Informer<T, I>) {
  return useCallback(
    (render: () => void) => {
      let frame = 0;
      const change = () => {
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(render);
      };
      const handler = { onAdd: change, onUpdate: change, onDelete: change };
      const registration = informer.addEventHandler(handler, { changesOnly: true });
      return () => {
        cancelAnimationFrame(frame);
        void registration.remove();
      };
    },
    [informer],
  );
}
