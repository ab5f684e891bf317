import { countLazyReads, LazyTextError } from "@listwatch/client";
import { mutableCopy } from "@listwatch/core-fifo";
import { deepFreeze, isJsonEqual, lazyMembers } from "@listwatch/core-fifo/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, decodeList, decodeWatch } from "../support/bytes.ts";
import { formDecoder, scanners } from "../support/forms.ts";
import { growth, mostOfLinear } from "../support/growth.ts";

interface Pod {
  kind?: string;
  apiVersion?: string;
  metadata: { name: string; managedFields?: unknown; labels?: object; [name: string]: unknown };
  spec: { nodeName: string; containers: { name: string }[]; more?: unknown };
  status?: { phase: string; conditions: unknown[] };
  immutable?: boolean;
}

const managedFields = [{ manager: "kubelet", operation: "Update", fieldsV1: { "f:status": {} } }];

function pod(name = "web"): Pod {
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name,
      namespace: "shop",
      uid: `u-${name}`,
      resourceVersion: "7",
      labels: { app: name },
      managedFields,
    },
    spec: { nodeName: "node-1", containers: [{ name: "main" }, { name: "side-car-of-the-main" }] },
    immutable: true,
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True", reason: "é日😀" }] },
  };
}

function decodeText(text: string, strip = false): Pod {
  const decoder = formDecoder({ lazy: true }, "WebAssembly", strip);
  const line = bytesOf(`{"type":"ADDED","object":${text}}\n`);
  const [event] = decodeWatch(decoder.watch<Pod>(), [line]);
  if (event?.type !== "ADDED") throw new Error("Expected an object, got none");
  return event.object;
}

const lazyPod = (): Pod => decodeText(JSON.stringify(pod()));

/** Returns the raw members of a lazy object: text until they are read. */
function keptOf(object: object): unknown[] {
  const kept: unknown = Reflect.get(object, lazyMembers);
  return Array.isArray(kept) ? kept.slice(1) : [];
}

// First, before other names have used up what is shared.
describe("members of lazy objects are read at their own place", () => {
  const value = (seed: number): object => ({ value: seed, text: "x".repeat(100) });
  const decodeAll = (objects: readonly object[]): readonly object[] => {
    const decoder = formDecoder({ lazy: true }, "WebAssembly", false);
    const lines = objects.map((object) => JSON.stringify({ type: "ADDED", object }));
    const events = decodeWatch(decoder.watch<Pod>(), [bytesOf(`${lines.join("\n")}\n`)]);
    return events.map((event) => (event.type === "ERROR" ? {} : event.object));
  };
  const metadata = { name: "a", namespace: "b", uid: "c", resourceVersion: "1" };

  test("when the name of one is the place of another with its name", () => {
    const first = { metadata, "1x": value(1) };
    const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
    const second = {
      metadata,
      ...Object.fromEntries(names.map((name, index) => [name, value(index)])),
      x: value(11),
    };
    expect(decodeAll([first, second])).toEqual([first, second]);
    expect(decodeAll([second, first])).toEqual([second, first]);
  });

  test("whatever their names and places are", () => {
    const name = fc.oneof(
      // Such names and the numbers of places could be mistaken for each other.
      { weight: 5, arbitrary: fc.stringMatching(/^[12]?[a-e]$/) },
      fc.stringMatching(/^[0-9:x]{1,4}$/),
      fc.constantFrom("__proto__", "constructor", "toString", "toJSON", "then", "length", ""),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    const names = fc.uniqueArray(name, { maxLength: 24, size: "+1" });
    fc.assert(
      fc.property(fc.array(names, { minLength: 2, maxLength: 6 }), (lists) => {
        let seed = 0;
        const objects = lists.map((list) => ({
          metadata,
          ...Object.fromEntries(list.map((one) => [one, value(++seed)])),
        }));
        // As text, because comparing so many objects takes seconds.
        const read = (object: object, from: object): string =>
          Object.keys(object)
            .toReversed()
            .map((one) => JSON.stringify(Reflect.get(from, one)))
            .join();
        for (const [index, decoded] of decodeAll(objects).entries()) {
          const object = objects[index] ?? {};
          expect(Object.keys(decoded)).toEqual(Object.keys(object));
          expect(read(object, Object.create(decoded) as object)).toBe(read(object, object));
          expect(read(object, decoded)).toBe(read(object, object));
        }
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  test("also beyond the thousand names whose accessors are shared", () => {
    const objects = Array.from({ length: 1500 }, (_, index) => ({
      metadata,
      [`m${index}`]: value(index),
    }));
    expect(decodeAll(objects)).toEqual(objects);
  });

  test("and the names of one object do not use up what the others share", () => {
    const many = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`m${index}`, value(index)]),
    );
    const long = "n".repeat(300);
    const usual = { metadata, spec: value(1), [long]: value(2) };
    const [, first = {}, second = {}] = decodeAll([{ metadata, ...many }, usual, usual]);
    const accessorOf = (object: object, name: string): unknown =>
      Reflect.get(Object.getOwnPropertyDescriptor(object, name) ?? {}, "get");
    expect(accessorOf(first, "spec")).toBe(accessorOf(second, "spec"));
    // A long name is kept by its objects only.
    expect(accessorOf(first, long)).not.toBe(accessorOf(second, long));
    expect([first, second]).toEqual([usual, usual]);
  });
});

describe("a lazy object looks like a plain one (LAZY-1)", () => {
  test("to toEqual and toStrictEqual, in both directions", () => {
    expect(lazyPod()).toEqual(pod());
    expect(pod()).toEqual(lazyPod());
    expect(lazyPod()).toEqual(lazyPod());
    expect(lazyPod()).not.toEqual({ ...pod(), spec: { ...pod().spec, nodeName: "other" } });
    expect(isJsonEqual(lazyPod(), pod())).toBe(true);
  });

  test("to keys, entries, in, hasOwn, spread, assign and its prototype", () => {
    const object = lazyPod();
    expect(Object.keys(object)).toEqual(Object.keys(pod()));
    expect(Object.entries(object)).toEqual(Object.entries(pod()));
    const names: string[] = [];
    for (const name in object) names.push(name);
    expect(names).toEqual(Object.keys(pod()));
    expect("spec" in object && Object.hasOwn(object, "status")).toBe(true);
    expect({ ...lazyPod() }).toStrictEqual(pod());
    expect(Object.assign({}, lazyPod())).toStrictEqual(pod());
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(Object.keys(object.metadata)).toEqual(Object.keys(pod().metadata));
  });

  test("to JSON.stringify, structuredClone, mutableCopy and messages", async () => {
    expect(JSON.stringify(lazyPod())).toBe(JSON.stringify(pod()));
    expect(structuredClone(lazyPod())).toStrictEqual(pod());
    const copy = mutableCopy(lazyPod());
    copy.spec.nodeName = "other";
    expect(copy.spec.nodeName).toBe("other");
    const { port1, port2 } = new MessageChannel();
    const arrived = new Promise((resolve) => {
      port2.addEventListener("message", ({ data }: MessageEvent) => resolve(data), { once: true });
    });
    port2.start();
    port1.postMessage(lazyPod());
    expect(await arrived).toStrictEqual(pod());
    port1.close();
    port2.close();
  });

  test("to proxies and derived objects (LAZY-4)", () => {
    expect(new Proxy(lazyPod(), {}).spec).toEqual(pod().spec);
    const heir = Object.create(lazyPod()) as Pod;
    expect(heir.spec).toEqual(pod().spec);
    expect(heir.spec).toBe(heir.spec);
  });

  test("but a read with a receiver that is not derived from it says so", () => {
    const object = lazyPod();
    expect(Reflect.get(object, "spec", Object.create(object))).toEqual(pod().spec);
    expect(Reflect.get(object, "spec", new Proxy(object, {}))).toEqual(pod().spec);
    expect(() => Reflect.get(object, "spec", {}) as unknown).toThrow(
      /^Cannot read spec of a lazy object: expected the object, its heir or a proxy of it/,
    );
  });

  test("to console.log of Node, which shows values (LAZY-4)", () => {
    const inspect: unknown = Reflect.get(lazyPod(), Symbol.for("nodejs.util.inspect.custom"));
    if (typeof inspect !== "function") throw new Error("Expected a function to inspect with");
    expect(Reflect.apply(inspect, lazyPod(), [])).toStrictEqual(pod());
  });

  test("to assignment and deletion (LAZY-5)", () => {
    const object = lazyPod();
    object.spec = { nodeName: "other", containers: [] };
    delete object.status;
    expect(object).toEqual({ ...pod(), spec: object.spec, status: undefined });
    expect("status" in object).toBe(false);
    expect(JSON.parse(JSON.stringify(object))).not.toHaveProperty("status");
    const heir = Object.create(lazyPod()) as Pod;
    heir.spec = object.spec;
    expect(Object.hasOwn(heir, "spec")).toBe(true);
  });

  test("with managedFields at any position (LAZY-2)", () => {
    for (const metadata of [
      { managedFields, name: "a", uid: "u" },
      { name: "a", managedFields, uid: "u" },
      { name: "a", uid: "u", managedFields },
      { managedFields },
    ]) {
      const text = JSON.stringify({ metadata, spec: {} });
      const object = decodeText(text);
      expect(keptOf(object.metadata)).toEqual([JSON.stringify(managedFields)]);
      expect(JSON.stringify(object)).toBe(text);
      const { managedFields: _, ...rest } = metadata as Record<string, unknown>;
      expect(decodeText(text, true)).toStrictEqual({ metadata: rest, spec: {} });
    }
  });

  test("except for its accessors and two hidden members", () => {
    const object = lazyPod();
    expect(Object.getOwnPropertyDescriptor(object, "spec")).not.toHaveProperty("value");
    expect(Object.getOwnPropertyDescriptor(object, "spec")).toMatchObject({
      enumerable: true,
      configurable: true,
    });
    expect(Object.getOwnPropertySymbols(object)).toHaveLength(2);
  });
});

describe("a lazy member", () => {
  test("is text until it is read and its value from then on (LAZY-3)", () => {
    const object = lazyPod();
    expect(keptOf(object)).toEqual([JSON.stringify(pod().spec), JSON.stringify(pod().status)]);
    const { spec } = object;
    expect(object.spec).toBe(spec);
    expect(keptOf(object)).toEqual([pod().spec, JSON.stringify(pod().status)]);
    expect(keptOf(object)[0]).toBe(spec);
  });

  test("is counted when it is read for the first time (LAZY-14)", () => {
    const object = lazyPod();
    const before = countLazyReads();
    expect(object.immutable && object.metadata.labels).toEqual({ app: "web" });
    expect(countLazyReads()).toBe(before);
    expect(object.spec).toBe(object.spec);
    expect(countLazyReads()).toBe(before + 1);
  });

  test("is frozen when it is read, if the object is frozen; freezing reads nothing (LAZY-5)", () => {
    const object = lazyPod();
    expect(object.status?.phase).toBe("Running");
    expect(deepFreeze(object)).toBe(object);
    expect(keptOf(object)[0]).toBe(JSON.stringify(pod().spec));
    expect(Object.isFrozen(object.status?.conditions)).toBe(true);
    expect(Object.isFrozen(object.spec.containers[0])).toBe(true);
    expect(object.spec).toBe(object.spec);
    expect(Object.isFrozen(object.metadata.managedFields)).toBe(true);
    expect(() => (object.spec = pod().spec)).toThrow(TypeError);
    const heir = Object.create(deepFreeze(lazyPod())) as Pod;
    expect(Object.isFrozen(heir.spec)).toBe(true);
    const shallow = Object.freeze(lazyPod());
    expect(shallow.spec).toEqual(pod().spec);
  });

  test("that is not JSON throws an error with key and member at each read (LAZY-9)", () => {
    const broken = JSON.stringify(pod()).replace('"nodeName":', '"nodeName";').replace("é", "é\\x");
    const object = decodeText(broken);
    expect(object.metadata.name).toBe("web");
    for (let count = 0; count < 2; count++) {
      expect(() => object.spec).toThrow(LazyTextError);
      expect(() => object.spec).toThrow(/^Cannot read spec of "shop\/web": expected JSON, got "\{/);
    }
    expect(() => object.status).toThrow(
      expect.objectContaining({ code: "LW_LAZY_TEXT", key: "shop/web", member: "status" }),
    );
  });

  test("that is not JSON fails the next batch of the watch once (LAZY-9)", () => {
    const decoder = formDecoder({ lazy: true }, "WebAssembly");
    const broken = JSON.stringify(pod()).replace('"nodeName":', '"nodeName";');
    const line = bytesOf(`{"type":"ADDED","object":${broken}}\n`);
    const [event] = decodeWatch(decoder.watch<Pod>(), [line]);
    const read = (): unknown => Reflect.get(Object(event?.object), "spec");
    expect(read).toThrow(LazyTextError);
    expect(() => decodeWatch(decoder.watch(), [line])).toThrow(LazyTextError);
    expect(decodeWatch(decoder.watch(), [line])).toHaveLength(1);
    expect(read).toThrow(LazyTextError);
    expect(decodeWatch(decoder.watch(), [line])).toHaveLength(1);
    // The held object is not reused: the list delivers the current state.
    const reuse = (): Pod => pod("held");
    const again = decodeWatch(decoder.watch<Pod>({ reuse }), [line]);
    expect(Object(again[0]?.object)).toHaveProperty("metadata.name", "web");
  });
});

describe.each(scanners)("objects decoded lazily by %s", (scanner) => {
  const list = (items: readonly unknown[]): Uint8Array =>
    bytesOf(JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata: {}, items }));
  const decoder = formDecoder({ lazy: true }, scanner);

  test("share equal small values, but nothing mutable (LAZY-12)", () => {
    const items = [pod("a"), pod("b")].map((item) => Object.assign(item, { tiny: { a: 1 } }));
    const [a, b] = decodeList(decoder.list<{ tiny: object }>(), [list(items)]);
    expect(a?.tiny).toEqual(b?.tiny);
    expect(a?.tiny).not.toBe(b?.tiny);
  });

  test("are correct for any number of member names (LAZY-12)", () => {
    const items = Array.from({ length: 1500 }, (_, index) => ({
      metadata: { name: `n${index}` },
      [`member${index}`]: { text: "x".repeat(80), index },
    }));
    const found = decodeList(decoder.list<object>(), [list(items)]);
    expect(JSON.stringify(found)).toBe(
      JSON.stringify(items.map((item) => Object.assign({ kind: "Pod", apiVersion: "v1" }, item))),
    );
  });

  test("are the held ones where their state is the same, and others are not read (LAZY-13)", () => {
    const held = pod("a");
    const asked: string[] = [];
    const reuse = ({
      name,
      resourceVersion,
    }: {
      name: string;
      resourceVersion: string;
    }): Pod[][0] => (
      asked.push(`${name} ${resourceVersion}`),
      name === "a" ? held : (undefined as never)
    );
    const [a, b] = decodeList(decoder.list<Pod>({ reuse }), [list([pod("a"), pod("b")])]);
    expect(a).toBe(held);
    expect(b).toEqual(pod("b"));
    expect(asked).toEqual(["a 7", "b 7"]);
  });

  test("are parsed completely where their text is unusual (LAZY-8)", () => {
    const text = JSON.stringify(pod());
    for (const unusual of [
      text.replace('"spec"', '"\\u0073pec"'),
      text.replace('"spec":', '"spec":1,"spec":'),
      text.replace(
        '"spec":',
        '"__proto__":{"a":"a text of more than sixty-four bytes, which is a lot"},"spec":',
      ),
      text.replace('"metadata"', '"meta"'),
    ]) {
      const [object] = decodeList(decoder.list<object>(), [
        bytesOf(`{"kind":"PodList","apiVersion":"v1","items":[${unusual}]}`),
      ]);
      expect(keptOf(object ?? {})).toEqual([]);
      expect(object).toStrictEqual(JSON.parse(unusual));
    }
  });

  test("equal the result of JSON.parse for any UTF-8, byte by byte (LAZY-10)", () => {
    const head = bytesOf('{"metadata":{"name":"a\u00e9"},"spec":{"text":"');
    const tail = bytesOf(`${"y".repeat(80)}\u65e5\u{1f600}"}}`);
    const wrong = Uint8Array.of(0xe2, 0x82, 0xff, 0xc3);
    const bytes = Uint8Array.of(...head, ...wrong, ...tail);
    const whole = Uint8Array.of(...bytesOf('{"items":['), ...bytes, ...bytesOf("]}"));
    const pieces = Array.from(whole, (byte) => Uint8Array.of(byte));
    expect(decodeList(decoder.list<object>(), pieces)).toEqual([
      JSON.parse(new TextDecoder().decode(bytes)),
    ]);
  });
});

test.each([["lazy"], ["projected"]])(
  "an event with a second value after its object is rejected: %s",
  (form) => {
    const wanted = form === "lazy" ? { lazy: true } : { fields: ["spec.nodeName"] };
    const text = JSON.stringify(pod());
    for (const more of [text, `[${text}]`, "{}"]) {
      const decoder = formDecoder(wanted, "WebAssembly");
      const line = bytesOf(`{"type":"ADDED","object":${text}${more}}\n`);
      expect(() => decodeWatch(decoder.watch<Pod>(), [line])).toThrow(
        expect.objectContaining({ code: "LW_DECODE" }),
      );
    }
  },
);

describe.each(scanners)("the time is linear, whatever a server sends, with %s:", (scanner) => {
  const metadata = `"metadata":{"name":"a","uid":"u","resourceVersion":"1"}`;

  test.each<[string, (many: string) => string, number]>([
    ["an object of many members", (many) => `{${metadata},${many}}`, 1_000_000],
    [
      "metadata of many members",
      (many) => `{"metadata":{"name":"a","managedFields":[],${many}}}`,
      1_000_000,
    ],
    ["a large object in small chunks", (many) => `{${metadata},"data":{${many}}}`, 64],
  ])("%s", async (_, objectOf, step) => {
    const ratio = await growth(2000, (size) => {
      const many = Array.from({ length: size }, (_item, index) => `"k${index}":1`).join();
      const line = bytesOf(`{"type":"ADDED","object":${objectOf(many)}}\n`);
      return () => {
        const watch = formDecoder({ lazy: true }, scanner, false).watch<object>();
        const events: unknown[] = [];
        for (let start = 0; start < line.length; start += step) {
          watch.write(line.subarray(start, start + step), events as never[]);
        }
        expect(events).toHaveLength(1);
      };
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });
});
