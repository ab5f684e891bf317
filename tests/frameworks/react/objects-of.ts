import type { Cached, IndexValues, Informer } from "listwatch";

/**
 * A store for components: objects of an informer, read at most once a frame. The array is kept
 * until one of its objects has changed.
 */
export function objectsOf<T, I extends IndexValues>(
  informer: Informer<T, I>,
  read: () => readonly Cached<T>[] = () => informer.store.list(),
) {
  let objects = read();
  const snapshot = () => objects;
  const subscribe = (render: () => void) => {
    let frame: number | undefined;
    const change = () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        const now = read();
        if (now.length === objects.length && now.every((o, i) => o === objects[i])) return;
        objects = now;
        render();
      });
    };
    change();
    const handler = { onAdd: change, onUpdate: change, onDelete: change };
    const registration = informer.addEventHandler(handler, { changesOnly: true });
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      void registration.remove();
    };
  };
  return { snapshot, subscribe };
}
