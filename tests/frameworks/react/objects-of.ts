import type { Cached, IndexValues, Informer } from "listwatch";

/** A store for components: the objects of an informer, as one array per frame. */
export function objectsOf<T, I extends IndexValues>(informer: Informer<T, I>) {
  let objects: readonly Cached<T>[] = informer.store.list();
  const snapshot = () => objects;
  const subscribe = (render: () => void) => {
    let frame: number | undefined;
    const change = () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        objects = informer.store.list();
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
