import { expect, test } from "vitest";
import { jsonDecoder } from "@listwatch/client";
import { Cluster, sourceForm, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

const objects = 40;
const large = "x".repeat(100);

/** Whether the data of a config map was parsed with it. */
function isParsed(object: object | undefined): boolean {
  return Object.hasOwn(Object.getOwnPropertyDescriptor(object ?? {}, "data") ?? {}, "value");
}

// Projected objects are never lazy.
test.skipIf(sourceForm.fields !== undefined).for(["json", "protobuf"] as const)(
  "a member that handlers read is parsed with later objects, in %s (LAZY-17)",
  async (encoding) => {
    const cluster = new Cluster();
    for (let index = 0; index < objects; index++) {
      await cluster.create(`shop/map-${index}`, { data: { large } });
    }
    const decoder = jsonDecoder();
    const listerWatcher = cluster.source({ decoder, encoding, lazy: undefined });
    await using informer = informerOf(cluster, { listerWatcher });
    let isReading = true;
    const read = ({ data }: ConfigMap): unknown => data?.["large"];
    informer.addEventHandler({
      onAdd: (object) => void (isReading && read(object)),
      onUpdate: (_, object) => void (isReading && read(object)),
    });
    void informer.run();
    await informer.synced;
    await cluster.clock.advance(1000);
    const keys = informer.store.listKeys();
    expect(keys).toHaveLength(objects);
    expect(keys.filter((key) => isParsed(informer.store.getByKey(key)))).toEqual([]);

    isReading = false;
    await cluster.update("shop/map-1", { data: { large: `${large}1` } });
    await cluster.clock.advance(1000);
    expect(isParsed(informer.store.getByKey("shop/map-1"))).toBe(true);
    expect(informer.store.getByKey("shop/map-1")?.data).toEqual({ large: `${large}1` });
  },
);
