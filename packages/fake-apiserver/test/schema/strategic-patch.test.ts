import { describe, expect, test } from "vitest";
import { loadDecoder } from "../../src/schema/object-decoder.ts";
import type { Json } from "../support/api-client.ts";

async function merge(live: Json, patch: Json): Promise<Json> {
  const decoder = await loadDecoder("v1", "Pod");
  if (decoder === undefined) throw new Error("Expected a decoder of pods");
  return decoder.merge(live, structuredClone(patch));
}

async function mergeContainers(live: readonly Json[], patch: readonly Json[], order?: Json) {
  const { spec } = await merge(
    { spec: { containers: live } },
    { spec: { containers: patch, ...order } },
  );
  return (spec as Json)["containers"] as readonly Json[];
}

const names = (items: readonly Json[]): string => items.map(({ name }) => name as string).join("");
const items = (text: string): Json[] => text.split("").map((name) => ({ name }));

describe("a strategic merge patch", () => {
  test("merges lists by their key and replaces others (SMP-15, SMP-23)", async () => {
    const live = {
      spec: { containers: [{ name: "a", image: "1", args: ["x"] }], tolerations: [{ key: "t" }] },
    };
    const patch = {
      spec: { containers: [{ name: "a", args: ["y"] }], tolerations: [{ key: "u" }] },
    };
    expect(await merge(live, patch)).toEqual({
      spec: { containers: [{ name: "a", image: "1", args: ["y"] }], tolerations: [{ key: "u" }] },
    });
    expect(live.spec.containers[0]?.args).toEqual(["x"]);
  });

  test("changes nothing of the live object, and shares the parts that it does not name", async () => {
    const live = {
      metadata: { labels: { a: "1" }, managedFields: [{ manager: "m" }] },
      spec: { containers: [{ name: "a", ports: [{ containerPort: 1 }] }, { name: "b" }] },
    };
    const before = structuredClone(live);
    const order = { "$setElementOrder/containers": items("ba") };
    const patch = {
      metadata: { labels: { $patch: "replace", b: "2" } },
      spec: {
        ...order,
        containers: [
          { name: "a", image: "1" },
          { name: "c", $patch: "delete" },
        ],
      },
    };
    const merged = (await merge(live, patch)) as typeof live;
    expect(live).toEqual(before);
    expect(merged.metadata.managedFields).toBe(live.metadata.managedFields);
    expect(merged.spec.containers[0]).toBe(live.spec.containers[1]);
    expect(merged.spec.containers[1]?.ports).toBe(live.spec.containers[0]?.ports);
  });

  test("puts new items before those that only the server has (SMP-25)", async () => {
    expect(names(await mergeContainers(items("abc"), items("xb")))).toBe("xabc");
    expect(names(await mergeContainers(items("abc"), items("x")))).toBe("xabc");
  });

  test("deletes by directive and replaces a list (SMP-22)", async () => {
    expect(names(await mergeContainers(items("abc"), [{ name: "b", $patch: "delete" }]))).toBe(
      "ac",
    );
    const replaced = await mergeContainers(items("abc"), [{ $patch: "replace" }, { name: "z" }]);
    expect(names(replaced)).toBe("z");
  });

  test("replaces and empties maps by directive (SMP-10)", async () => {
    const live = { metadata: { labels: { a: "1" }, annotations: { b: "2" } } };
    const patch = {
      metadata: { labels: { $patch: "replace", c: "3" }, annotations: { $patch: "delete" } },
    };
    expect(await merge(live, patch)).toEqual({
      metadata: { labels: { c: "3" }, annotations: {} },
    });
  });

  test("orders lists, and moves unknown items to the front (SMP-34, SMP-35)", async () => {
    const order = { "$setElementOrder/containers": items("cba") };
    expect(names(await mergeContainers(items("abc"), [], order))).toBe("cba");
  });

  test("deletes from lists of scalars before it adds (SMP-16, SMP-21)", async () => {
    const live = { metadata: { finalizers: ["a", "b"] } };
    const patch = {
      metadata: { finalizers: ["c"], "$deleteFromPrimitiveList/finalizers": ["a"] },
    };
    const { metadata } = await merge(live, patch);
    expect((metadata as Json)["finalizers"].toSorted()).toEqual(["b", "c"]);
  });

  test("keeps only the keys of $retainKeys (SMP-11)", async () => {
    const live = { spec: { volumes: [{ name: "v", emptyDir: {} }] } };
    const patch = {
      spec: { volumes: [{ name: "v", $retainKeys: ["name", "secret"], secret: {} }] },
    };
    expect(await merge(live, patch)).toEqual({ spec: { volumes: [{ name: "v", secret: {} }] } });
  });

  test.each([
    [{ $patch: "explode" }, "unknown patch type: explode in map: map[$patch:explode]"],
    [
      { spec: { containers: [{ image: "z" }] } },
      "map: map[image:z] does not contain declared merge key: name",
    ],
    [
      { spec: { containers: [{ $patch: "delete" }] } },
      "map: map[$patch:delete] does not contain declared merge key: name",
    ],
    [{ spec: { containers: ["z"] } }, "list element types are not identical: [[map[name:a]] [z]]"],
    [
      { spec: { "$setElementOrder/containers": "x" } },
      "expected a []interface {}, but received a string",
    ],
    [
      { spec: { "$setElementOrder/bogus": [] } },
      'unable to find api field in struct PodSpec for the json field "bogus"',
    ],
    [
      {
        spec: {
          containers: [...items("b"), { $patch: "replace" }, { name: "a", $patch: "delete" }],
          "$setElementOrder/containers": items("ab"),
        },
      },
      "The order in patch list:\n[map[name:b] map[$patch:replace] map[$patch:delete name:a]]\n" +
        " doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ],
    [{ spec: { $retainKeys: "x" } }, "invalid patch format of retainKeys"],
    [{ spec: { $deleteFromPrimitiveList: [] } }, "invalid patch format of primitive list"],
  ])("rejects %j with the server's message", async (patch, message) => {
    await expect(merge({ spec: { containers: items("a") } }, patch)).rejects.toThrow(message);
  });
});
