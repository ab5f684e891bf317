import { DecodeError, type WatchEvent } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import { bytesOf, decodeList, decodeWatch } from "../support/bytes.ts";
import { formDecoder, scanners } from "../support/forms.ts";

const pod = (name: string, more: object = {}): object => ({
  metadata: {
    uid: `u-${name}`,
    resourceVersion: "7",
    name,
    labels: { app: name },
    managedFields: [],
  },
  spec: { nodeName: "n", deep: { er: { and: { deeper: 1 }, x: [1] } } },
  ...more,
});

const listText = (items: readonly string[]): string =>
  `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[${items.join(",")}]}`;

describe.each(scanners)("objects projected by %s", (scanner) => {
  const read = (fields: readonly (string | readonly string[])[], items: readonly object[]) => {
    const text = listText(items.map((item) => JSON.stringify(item)));
    return decodeList(formDecoder({ fields }, scanner).list<object>(), [bytesOf(text)]);
  };

  test("have fields of any depth, and a shorter path includes a longer one (PROJ-1, PROJ-3)", () => {
    const [deep] = read(["spec.deep.er.and.deeper", "spec.nodeName"], [pod("a")]);
    const spec = { deep: { er: { and: { deeper: 1 } } }, nodeName: "n" };
    expect(deep).toMatchObject({ kind: "Pod", metadata: { name: "a" } });
    expect(deep).toHaveProperty("spec", spec);
    const [whole] = read(["spec.deep.er", "spec", "spec.nodeName"], [pod("a")]);
    expect(whole).toHaveProperty("spec", {
      nodeName: "n",
      deep: { er: { and: { deeper: 1 }, x: [1] } },
    });
    expect(read(["metadata"], [pod("a")])[0]).toHaveProperty("metadata.managedFields", []);
    expect(read(["spec"], [pod("a")])[0]).not.toHaveProperty("metadata.managedFields");
  });

  test("accept any names in an array, and most in a string (PROJ-1)", () => {
    const names = ["$ref", "a[0]", "example.com/app", "x y", "*", "a_b-c", "ü", "@"];
    const spec = Object.fromEntries([...names, "more"].map((name) => [name, name]));
    const fields = [
      ...names.slice(0, 5).map((name) => ["spec", name]),
      "spec.a_b-c",
      "spec.ü",
      "spec.@",
    ];
    const { more: _, ...kept } = spec;
    expect(read(fields, [pod("a", { spec })])[0]).toHaveProperty("spec", kept);
  });

  test("keep a list as a whole, and nothing of a list inside a path (PROJ-1)", () => {
    const spec = { containers: [{ image: "a", name: "b" }], nodeName: "n" };
    const [whole] = read(["spec.containers"], [pod("a", { spec })]);
    expect(whole).toHaveProperty("spec", { containers: spec.containers });
    const [part] = read(["spec.containers.image"], [pod("a", { spec })]);
    expect(part).toHaveProperty("spec", {});
  });

  test("have their members in one order, whatever their order in the text (PROJ-5)", () => {
    const shuffled = { spec: { nodeName: "n" }, metadata: { name: "b", uid: "u" }, kind: "Own" };
    const items = read(["spec.nodeName"], [pod("a"), shuffled]);
    expect(items.map((item) => Object.keys(item).join(" "))).toEqual([
      "metadata apiVersion kind spec",
      "metadata apiVersion kind spec",
    ]);
    expect(items[1]).toHaveProperty("kind", "Own");
  });

  test("are correct with more member names than are remembered (PROJ-4)", () => {
    const items = Array.from({ length: 300 }, (_, index) => {
      const members = Array.from({ length: 80 }, (__, place) => [
        `m${(index * 7 + place) % 211}`,
        place,
      ]);
      return {
        ...Object.fromEntries(members),
        metadata: { name: `n${index}` },
        spec: { a: index },
      };
    });
    const found = read(["spec.a"], items);
    expect(found.map((item) => Reflect.get(item, "spec"))).toEqual(items.map(({ spec }) => spec));
  });

  test("are returned up to one that is not JSON (PROJ-8)", () => {
    const broken = JSON.stringify(pod("c")).replace('"app":"c"', '"app":tru');
    const text = listText([JSON.stringify(pod("a")), JSON.stringify(pod("b")), broken]);
    const decoder = formDecoder({ fields: ["metadata.labels"] }, scanner).list<object>();
    const into: object[] = [];
    expect(() => decoder.write(bytesOf(text), into)).toThrow(DecodeError);
    expect(into.map((item) => Reflect.get(item, "metadata"))).toMatchObject([
      { name: "a", labels: { app: "a" } },
      { name: "b", labels: { app: "b" } },
    ]);
    const lines = [pod("a"), pod("b")].map((object) => JSON.stringify({ type: "ADDED", object }));
    const watch = formDecoder({ fields: ["metadata.labels"] }, scanner).watch<object>();
    const events: WatchEvent<object>[] = [];
    const bytes = bytesOf(`${lines.join("\n")}\n{"type":"ADDED","object":${broken}}\n`);
    expect(() => watch.write(bytes, events)).toThrow(DecodeError);
    expect(events).toHaveLength(2);
  });

  test("are the held ones where their state is the same (PROJ-9)", () => {
    const held = { metadata: { name: "held" } };
    const asked: unknown[] = [];
    const reuse = (identity: { readonly name: string }): object | undefined => {
      asked.push(identity);
      return identity.name === "a" ? held : undefined;
    };
    const bytes = bytesOf(listText(["a", "b"].map((name) => JSON.stringify(pod(name)))));
    const decoder = formDecoder({ fields: [] }, scanner).list<object>({ reuse });
    const [a, b] = decodeList(decoder, [bytes]);
    expect(a).toBe(held);
    expect(b).toHaveProperty("metadata.name", "b");
    expect(asked).toEqual([
      { name: "a", namespace: "", uid: "u-a", resourceVersion: "7" },
      { name: "b", namespace: "", uid: "u-b", resourceVersion: "7" },
    ]);
  });

  test("of errors and bookmarks are complete (PROJ-7)", () => {
    const events = [
      { type: "BOOKMARK", object: { metadata: { resourceVersion: "9", annotations: { a: "b" } } } },
      { type: "ERROR", object: { kind: "Status", code: 410, message: "gone" } },
    ];
    const bytes = bytesOf(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    expect(decodeWatch(formDecoder({ fields: [] }, scanner).watch(), [bytes])).toEqual(events);
  });
});
