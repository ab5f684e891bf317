import { mutableCopy, type Cached } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import type { SharedInformerOptions } from "../../src/index.ts";
import { Cluster, configMapReference, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

interface Listed {
  readonly data: Record<string, string>;
  readonly metadata: { name: string; labels: Record<string, string>; finalizers: string[] };
}

const configMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    namespace: "shop",
    name: "a",
    labels: { app: "web" },
    finalizers: ["example.com/one", "example.com/two"],
  },
  data: { replicas: "1", "a-b": "x" },
};

/** Runs a handler that changes its object, and returns the error that is reported, if any. */
async function failureOf(
  change: (object: Listed) => void,
  options: Partial<SharedInformerOptions<ConfigMap, never>> = {},
): Promise<unknown> {
  const cluster = new Cluster();
  await cluster.client.resource(configMapReference).create(configMap);
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  await using informer = informerOf(cluster, { ...options, onError });
  const onAdd = (object: Cached<ConfigMap>): void => change(object as unknown as Listed);
  informer.addEventHandler({ onAdd });
  void informer.run();
  await informer.synced;
  await cluster.clock.settle();
  expect(failures.length).toBeLessThanOrEqual(1);
  return failures[0];
}

/** Whether the errors of this engine name the property. */
const namesProperties = (() => {
  try {
    Object.assign(Object.freeze({ member: 1 }), { member: 2 });
  } catch (error) {
    return String(error).includes("member");
  }
  throw new Error("expected a frozen object to refuse a change");
})();

describe("a handler that changes a frozen object", () => {
  const changes: [path: string, change: (object: Listed) => void][] = [
    ["data.replicas", ({ data }) => void (data["replicas"] = "2")],
    ['data["a-b"]', ({ data }) => void delete data["a-b"]],
    ["metadata.labels.app", ({ metadata }) => void Object.assign(metadata.labels, { app: "db" })],
    ['the member "tier"', ({ metadata }) => void (metadata.labels["tier"] = "front")],
    ["metadata.name", ({ metadata }) => void (metadata.name = "b")],
    ["metadata.finalizers[0]", ({ metadata }) => void (metadata.finalizers[0] = "three")],
    ["metadata.finalizers[2]", ({ metadata }) => void metadata.finalizers.push("three")],
    ["metadata.finalizers.length", ({ metadata }) => void (metadata.finalizers.length = 0)],
  ];

  test.for(changes)("learns that it changed %s, and to copy", async ([path, change]) => {
    const error = await failureOf(change, { cache: { freeze: true } });
    expect(error).toMatchObject({
      code: "LW_CACHED_OBJECT_CHANGED",
      advice: "Change a copy: mutableCopy(object)",
      cause: expect.any(TypeError),
    });
    expect(String(error)).toContain("of shop/a: expected a handler that only reads");
    expect(String(error)).toContain(`Cannot change ${namesProperties ? path : "a member"} of`);
  });

  test("is found without an option, since tests run with NODE_ENV=test", async () => {
    const change = ({ data }: Listed): void => void (data["replicas"] = "2");
    expect(await failureOf(change)).toMatchObject({ code: "LW_CACHED_OBJECT_CHANGED" });
  });

  test("may change a copy", async () => {
    const change = (object: Listed): void => void (mutableCopy(object).data["replicas"] = "2");
    expect(await failureOf(change, { cache: { freeze: true } })).toBeUndefined();
  });

  test("keeps other errors as they are", async () => {
    const other = new TypeError("Cannot read properties of undefined");
    const fail = (): never => {
      throw other;
    };
    expect(await failureOf(fail, { cache: { freeze: true } })).toBe(other);
  });

  test("is not stopped with `freeze: false`", async () => {
    const change = ({ data }: Listed): void => void (data["replicas"] = "2");
    expect(await failureOf(change, { cache: { freeze: false } })).toBeUndefined();
  });
});
