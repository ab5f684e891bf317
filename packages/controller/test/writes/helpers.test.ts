import { beforeEach, describe, expect, test } from "vitest";
import { isConflict, StatusError } from "@listwatch/client";
import {
  allOf,
  annotationsChanged,
  anyOf,
  controllerReference,
  generationChanged,
  labelsChanged,
  ownerOf,
  retryOnConflict,
  withFinalizer,
  writeStatus,
  type Predicate,
} from "@listwatch/controller";
import { Cluster, configMap, failureOf } from "../support/cluster.ts";

let cluster: Cluster;

interface Pod {
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly resourceVersion?: string;
  };
  readonly spec?: object;
  readonly status?: { readonly message?: string };
}

beforeEach(() => {
  cluster = new Cluster();
});

describe("retryOnConflict", () => {
  test("tries five times, and nothing but conflicts again", async () => {
    let attempts = 0;
    const conflict = (): Promise<never> => {
      attempts += 1;
      throw new StatusError({ code: 409, reason: "Conflict" });
    };
    const failing = failureOf(retryOnConflict(conflict, { clock: cluster.clock }));
    await cluster.clock.advance(100);
    expect(await failing).toSatisfy(isConflict);
    expect(attempts).toBe(5);
    const broken = (): Promise<never> => {
      attempts += 1;
      throw new TypeError("broken");
    };
    await expect(retryOnConflict(broken)).rejects.toThrow("broken");
    expect(attempts).toBe(6);
  });
});

describe("writeStatus", () => {
  test("computes the status anew from what the server has after a conflict, and writes none twice", async () => {
    const pods = cluster.client.resource<Pod>({ group: "", version: "v1", resource: "pods" });
    const spec = { containers: [{ name: "main", image: "example" }] };
    const stale = await pods.create({ metadata: { namespace: "default", name: "web" }, spec });
    await pods.patch("default/web", { metadata: { labels: { a: "b" } } });
    const bases: (string | undefined)[] = [];
    const writing = writeStatus(
      pods,
      stale,
      (pod) => {
        bases.push(pod.metadata.resourceVersion);
        return { ...pod.status, message: "fine" };
      },
      { clock: cluster.clock },
    );
    await cluster.clock.advance(100);
    const written = await writing;
    expect(bases).toHaveLength(2);
    expect(bases[0]).not.toBe(bases[1]);
    expect(written.status?.message).toBe("fine");
    const again = await writeStatus(pods, written, (pod) => ({ ...pod.status, message: "fine" }));
    expect(again).toBe(written);
  });
});

describe("withFinalizer", () => {
  test("adds the finalizer before it applies, cleans up before it removes it, and leaves others alone", async () => {
    const { configMaps } = cluster;
    const finalizer = "example.com/cleanup";
    const steps: string[] = [];
    const actions = {
      finalizer,
      apply: async () => {
        const { metadata } = await configMaps.get("default/a");
        steps.push(`apply ${metadata.finalizers?.join()}`);
        return "applied";
      },
      cleanup: async () => {
        const { metadata } = await configMaps.get("default/a");
        steps.push(`cleanup ${metadata.finalizers?.join()}`);
      },
    };
    const created = await configMaps.create(
      configMap("default/a", { metadata: { name: "", finalizers: ["example.com/other"] } }),
    );
    expect(await withFinalizer(configMaps, created, actions)).toBe("applied");
    await configMaps.delete("default/a");
    expect(
      await withFinalizer(configMaps, await configMaps.get("default/a"), actions),
    ).toBeUndefined();
    expect(steps).toEqual([
      `apply example.com/other,${finalizer}`,
      `cleanup example.com/other,${finalizer}`,
    ]);
    const left = await configMaps.get("default/a");
    expect(left.metadata.finalizers).toEqual(["example.com/other"]);
    expect(await withFinalizer(configMaps, left, actions)).toBeUndefined();
    expect(steps).toHaveLength(2);
  });
});

describe("owners", () => {
  const owner = { metadata: { namespace: "shop", name: "owner", uid: "1" } };
  const reference = controllerReference(owner, { apiVersion: "example.com/v1", kind: "Widget" });

  test("are found by group and kind in the namespace of the object, whatever the version", () => {
    const child = { metadata: { namespace: "shop", name: "c", ownerReferences: [reference] } };
    expect(ownerOf({ group: "example.com", kind: "Widget" })(child)).toEqual(["shop/owner"]);
    expect(ownerOf({ group: "example.com", kind: "Widget" }, true)(child)).toEqual(["owner"]);
    expect(ownerOf({ group: "", kind: "Widget" })(child)).toEqual([]);
    expect(ownerOf({ group: "example.com", kind: "Gadget" })({ metadata: {} })).toEqual([]);
  });

  test("that do not manage the object count only when asked for", () => {
    const child = {
      metadata: { namespace: "shop", ownerReferences: [{ ...reference, controller: false }] },
    };
    const kind = { group: "example.com", kind: "Widget" };
    expect(ownerOf(kind)(child)).toEqual([]);
    expect(ownerOf({ ...kind, anyOwner: true })(child)).toEqual(["shop/owner"]);
    expect(() => controllerReference({ metadata: { name: "new" } }, reference)).toThrow(TypeError);
  });
});

describe("predicates", () => {
  const old = { metadata: { generation: 1, labels: { a: "1" }, annotations: {} } };
  const relabelled = { metadata: { generation: 1, labels: { a: "2" }, annotations: {} } };

  test("let updates through that change what they are about", () => {
    expect(labelsChanged.update(old, relabelled)).toBe(true);
    expect(labelsChanged.update(old, old)).toBe(false);
    expect(generationChanged.update(old, relabelled)).toBe(false);
    expect(annotationsChanged.update(old, relabelled)).toBe(false);
  });

  test("combine, and let through what they say nothing about", () => {
    const any: Predicate<unknown> = anyOf(generationChanged, labelsChanged);
    const all: Predicate<unknown> = allOf(generationChanged, labelsChanged);
    expect(any.update?.(old, relabelled)).toBe(true);
    expect(all.update?.(old, relabelled)).toBe(false);
    expect([any.add?.(old), all.add?.(old)]).toEqual([true, true]);
    const deleted = { stale: false, key: "a", object: old } as const;
    expect([any.delete?.(deleted), all.delete?.(deleted)]).toEqual([true, true]);
  });
});
