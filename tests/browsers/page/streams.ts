// The script of a page that follows three collections over one stream.
import type { ConfigMap } from "listwatch/resources/core/v1";
import { Informer } from "listwatch";
import { eventStreamSource } from "listwatch/streams";

/** A collection as the page shows it. */
export interface ShownCollection {
  /** The member `state` of each object, by key. */
  readonly objects: Readonly<Record<string, string | undefined>>;
  /** Why the collection is not up to date. */
  readonly problem: string | undefined;
}

const stream = eventStreamSource("/stream");

function follow(name: string): () => ShownCollection {
  const informer = new Informer(stream.collection<ConfigMap>(name), { name });
  void informer.run();
  return () => {
    const { store } = informer;
    const objects = store.listKeys().map((key) => [key, store.getByKey(key)?.data?.["state"]]);
    return {
      objects: Object.fromEntries(objects) as ShownCollection["objects"],
      problem: informer.status().problem?.reason,
    };
  };
}

const collections = { maps: follow("maps"), marked: follow("marked"), secrets: follow("secrets") };

Object.assign(globalThis, {
  show: () =>
    Object.fromEntries(Object.entries(collections).map(([name, current]) => [name, current()])),
});
