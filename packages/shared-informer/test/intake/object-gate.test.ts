import {
  DeletedFinalStateUnknown,
  KeyError,
  metaNamespaceKey,
  TransformError,
  type Cached,
} from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { SharedInformer, type SharedInformerOptions } from "../../src/index.ts";
import { ObjectGate, type ObjectGateParts } from "../../src/intake/object-gate.ts";
import { checkIdle, Cluster, type ConfigMap } from "../support/cluster.ts";

const configMap = (name: string, color?: string): ConfigMap => ({
  metadata: { namespace: "shop", name, resourceVersion: "5", uid: `uid of ${name}` },
  ...(color === undefined ? {} : { data: { color } }),
});

const nameless: ConfigMap = JSON.parse('{ "metadata": { "namespace": "shop" } }');

/** Throws for a config map without data. */
function strip(object: ConfigMap): ConfigMap {
  if (object.data === undefined) throw new TypeError("it has no data");
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function gateWith(parts: Partial<ObjectGateParts<ConfigMap>> = {}) {
  const reported: unknown[] = [];
  const held = new Map<string, Cached<ConfigMap>>();
  const gate = new ObjectGate<ConfigMap>({
    clock: new SimulatedClock(),
    isHeld: undefined,
    keep: undefined,
    keyFunc: metaNamespaceKey,
    transform: undefined,
    sink: {
      report: (error) => void reported.push(error),
      store: { getByKey: (key) => held.get(key), listKeys: () => [...held.keys()] },
    },
    ...parts,
  });
  const list = (...objects: readonly ConfigMap[]) => {
    const begun = gate.beginList(objects, "9");
    for (const object of objects) gate.admitListed(object, begun);
    return begun;
  };
  return { gate, held, list, reported };
}

describe("an object passes", () => {
  test("with its key and as it is, if there is nothing to call", () => {
    const { gate } = gateWith();
    const object = configMap("a");
    const delta = gate.admit("Added", object);
    expect(delta).toEqual({ type: "Added", key: "shop/a", object });
    expect(delta?.object).toBe(object);
    expect([gate.isComplete, gate.problem]).toEqual([true, undefined]);
  });

  test("after the transform, while its former resourceVersion is remembered", () => {
    const { gate } = gateWith({ transform: strip });
    const delta = gate.admit("Updated", configMap("a", "red"));
    expect(delta?.object).not.toHaveProperty("metadata.resourceVersion");
    expect([gate.versionOf(delta?.object), gate.changedVersionOf(delta?.object)]).toEqual([
      "5",
      "5",
    ]);
    expect(gate.changedVersionOf(configMap("a"))).toBeUndefined();
  });

  test("under the name that the transform gives it, in an event as in a list", () => {
    const rename = (object: ConfigMap): ConfigMap =>
      Object.assign(object, { metadata: { ...object.metadata, name: "new" } });
    const { gate, list } = gateWith({ transform: rename });
    expect(gate.admit("Added", configMap("a"))?.key).toBe("shop/new");
    expect(list(configMap("a")).keys).toEqual(["shop/new"]);
  });

  test("as a deletion if it is not to be kept, and a list does not contain it", () => {
    const { gate, list } = gateWith({ keep: ({ data }) => data?.["color"] === "red" });
    expect(gate.admit("Updated", configMap("a", "red"))?.type).toBe("Updated");
    expect(gate.admit("Updated", configMap("a", "blue"))?.type).toBe("Deleted");
    const { keptKeys, keys } = list(configMap("a", "blue"), configMap("b", "red"));
    expect([keys, keptKeys]).toEqual([["shop/b"], []]);
  });
});

describe("an object is left out", () => {
  test("of a watch: the first failure is thrown once for each state, the others are recorded", () => {
    const { gate, list, reported } = gateWith({ transform: strip });
    expect(() => gate.admit("Added", configMap("a"))).toThrow(TransformError);
    expect(gate.hasThrown(reported[0])).toBe(true);
    expect(gate.admit("Added", configMap("b"))).toBeUndefined();
    expect(reported).toHaveLength(2);
    expect(gate.problem).toMatchObject({ attempts: 2, keys: ["shop/a", "shop/b"] });
    list();
    gate.endList();
    expect(gate.isComplete).toBe(true);
    expect(gate.admit("Added", configMap("a"))).toBeUndefined();
  });

  test("of a list, which contains the key that the cache keeps", () => {
    const { gate, list, reported } = gateWith({ transform: strip });
    const { keptKeys, keys } = list(configMap("a", "red"), configMap("b"));
    expect([keys, keptKeys]).toEqual([["shop/a"], ["shop/b"]]);
    gate.endList();
    expect(reported).toEqual([expect.any(TransformError)]);
    expect(gate.problem?.keys).toEqual(["shop/b"]);
    expect(gate.admit("Updated", configMap("b", "red"))).toBeDefined();
    expect(gate.problem).toBeUndefined();
  });

  test("of a list without a name: the list is refused, unless the previous one was the same", () => {
    const { gate, list, reported } = gateWith({
      keep: () => true,
      isHeld: (object) => metaNamespaceKey(object) === "",
    });
    expect(list(nameless, configMap("a")).keys).toEqual(["shop/a"]);
    expect(() => gate.endList()).toThrow(KeyError);
    list(nameless, configMap("a"));
    gate.endList();
    expect(reported).toHaveLength(1);
    expect(gate.problem?.attempts).toBe(1);
  });
});

describe("a deletion whose final state cannot be used", () => {
  test("has the state of the cache", () => {
    const { gate, held, reported } = gateWith({ transform: strip });
    const last = configMap("a", "red");
    held.set("shop/a", last);
    const delta = gate.admit("Deleted", configMap("a"));
    expect(delta?.object).toEqual(new DeletedFinalStateUnknown("shop/a", last));
    expect(reported).toEqual([expect.any(TransformError)]);
  });

  test("is thrown if it has no key", () => {
    const { gate, reported } = gateWith({ transform: strip });
    expect(() => gate.admit("Deleted", nameless)).toThrow(KeyError);
    expect(reported).toEqual([expect.any(KeyError)]);
  });
});

test("an event that is skipped does not count as left out of the next list", async () => {
  const cluster = new Cluster();
  let failures = 1;
  const options: SharedInformerOptions<ConfigMap, { readonly namespace: string }> = {
    listerWatcher: cluster.source(),
    clock: cluster.clock,
    random: cluster.random,
    watch: { storeFailure: "skip" },
    onError: () => undefined,
    cache: {
      transform: (object) => {
        if (object.metadata.name === "b" && failures-- > 0) throw new Error("an accident");
        return object;
      },
    },
  };
  const informer = new SharedInformer(options);
  void informer.run();
  await informer.synced;
  await cluster.create("shop/b");
  await cluster.clock.settle();
  expect(informer.status().problem?.keys).toEqual(["shop/b"]);
  cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
  await cluster.clock.advance(30_000);
  expect(informer.store.listKeys()).toEqual(["shop/b"]);
  expect(informer.status().problem).toBeUndefined();
  await informer[Symbol.asyncDispose]();
  checkIdle(cluster.clock);
});
