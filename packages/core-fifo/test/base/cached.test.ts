import {
  mutableCopy,
  type Cached,
  type Key,
  type KubernetesObject,
  type Mutable,
} from "@listwatch/core-fifo";
import { asCached, asPlain } from "@listwatch/core-fifo/base";
import { describe, expect, expectTypeOf, test } from "vitest";

interface Pod {
  metadata: { name: string; labels?: { [name: string]: string } };
  spec: { replicas?: number; containers: { ports: number[] }[] };
  created: Date;
  hooks: Map<string, { tries: number }>;
  names: Set<string>;
}

const createPod = (): Pod => ({
  metadata: { name: "web" },
  spec: { containers: [{ ports: [80] }] },
  created: new Date(0),
  hooks: new Map([["a", { tries: 1 }]]),
  names: new Set(["web"]),
});

describe("Cached", () => {
  test("makes members and elements read-only at every depth", () => {
    expectTypeOf<Cached<Pod>["spec"]["containers"]>().toEqualTypeOf<
      readonly { readonly ports: readonly number[] }[]
    >();
    expectTypeOf<Cached<Pod>["created"]>().toEqualTypeOf<Date>();
    expectTypeOf<Cached<Pod>["hooks"]>().toEqualTypeOf<
      ReadonlyMap<string, { readonly tries: number }>
    >();
    expectTypeOf<Cached<Pod>["names"]>().toEqualTypeOf<ReadonlySet<string>>();
    expectTypeOf<Pod>().toExtend<Cached<Pod>>();
    const cached: Cached<Pod> = Object.freeze(createPod());
    expect(() => {
      // @ts-expect-error -- the point of the type
      cached.created = new Date();
    }).toThrow(TypeError);
    // @ts-expect-error -- code that may mutate must not receive a cached object
    const pod: Pod = cached;
    expect(pod).toBe(cached);
  });

  test("leaves values that are not objects as they are", () => {
    expectTypeOf<Cached<unknown>>().toBeUnknown();
    // oxlint-disable-next-line typescript/no-explicit-any -- what the test is about
    expectTypeOf<Cached<any>>().toBeAny();
    expectTypeOf<Cached<string | undefined>>().toEqualTypeOf<string | undefined>();
    expect(asCached("text")).toBe("text");
  });

  test("a type is inferred through it", () => {
    const nameOf = <T extends KubernetesObject>(object: Cached<T>, read: (one: T) => string): T => {
      expect(read(asPlain<T>(object))).toBe("web");
      return asPlain<T>(object);
    };
    const cached = asCached<Pod>(createPod());
    expectTypeOf(nameOf(cached, (pod) => pod.metadata.name)).toEqualTypeOf<Pod>();
    expect(asPlain<Pod>(cached)).toBe(cached);
  });
});

describe("mutableCopy", () => {
  test("of a cached object has the type that was cached", () => {
    const pod = createPod();
    const copy = mutableCopy(asCached<Pod>(pod));
    expectTypeOf(copy).toEqualTypeOf<Pod>();
    copy.spec.containers.push({ ports: [] });
    expect(pod).toEqual(createPod());
    expect(copy.hooks).toEqual(pod.hooks);
    expect(copy.hooks).not.toBe(pod.hooks);
  });

  test("of any other read-only value removes readonly from the type", () => {
    const value: {
      readonly list: readonly { readonly a?: 1 }[];
      readonly pair: readonly [1, "b"];
    } = { list: [{ a: 1 }], pair: [1, "b"] };
    const copy = mutableCopy(value);
    expectTypeOf(copy).toEqualTypeOf<{ list: { a?: 1 }[]; pair: [1, "b"] }>();
    copy.list.push({});
    expect(value.list).toHaveLength(1);
    expectTypeOf(mutableCopy(asCached<Pod>(createPod()).spec)).toEqualTypeOf<Pod["spec"]>();
    expectTypeOf<Mutable<Cached<Pod>>>().toEqualTypeOf<Pod>();
  });
});

test("Key distinguishes keys of namespaced objects from others", () => {
  expectTypeOf<Key<"Namespaced">>().toEqualTypeOf<`${string}/${string}`>();
  expectTypeOf<Key<"Cluster">>().toBeString();
  expectTypeOf<Key>().toBeString();
  // @ts-expect-error -- no namespace
  const key: Key<"Namespaced"> = "web";
  expect(key).toBe("web");
});
