import type { Cached, Informer } from "listwatch";

/**
 * A store for components: objects of an informer, read at most once a frame. The array is kept
 * until one of its objects has changed.
 */
export function objectsOf<T>(informer: Informer<T>, read = () => informer.store.list()) {
  let objects: readonly Cached<T>[] = read();
  const subscribe = (render: () => void) => {
    const update = () => {
      frame = 0;
      const now = read();
      if (now.length !== objects.length || now.some((o, i) => o !== objects[i])) objects = now;
      render();
    };
    // The first frame shows what has changed since the component was rendered.
    let frame = requestAnimationFrame(update);
    const change = () => (frame ||= requestAnimationFrame(update));
    const handler = { onAdd: change, onUpdate: change, onDelete: change };
    const registration = informer.addEventHandler(handler, { changesOnly: true });
    return () => {
      cancelAnimationFrame(frame);
      void registration.remove();
    };
  };
  return { subscribe, snapshot: () => objects };
}
