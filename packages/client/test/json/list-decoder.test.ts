import { DecodeError, NetworkError, jsonDecoder, type ReuseFunction } from "@listwatch/client";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { bytesOf, cut, decodeList } from "../support/bytes.ts";

interface Item {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: { readonly name: string };
}

const list = <T extends object = Item>(text: string, pieces = [bytesOf(text)]): T[] =>
  decodeList(jsonDecoder().list<T>(), pieces);

const pod = (name: string, more: object = {}) => ({
  metadata: { name, namespace: "default", uid: `u-${name}`, resourceVersion: "7" },
  ...more,
});

const podList = (items: readonly object[]): string =>
  JSON.stringify({
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: "42", continue: "next" },
    items,
  });

const typed = (item: object) => ({ kind: "Pod", apiVersion: "v1", ...item });

describe("a list decoded from JSON", () => {
  test("returns its items, with the type that the list implies, and its metadata", () => {
    const decoder = jsonDecoder().list<Item>();
    const items = decodeList(decoder, [bytesOf(podList([pod("a"), pod("b")]))]);
    expect(items).toEqual([typed(pod("a")), typed(pod("b"))]);
    expect(decoder).toMatchObject({
      kind: "PodList",
      apiVersion: "v1",
      metadata: { resourceVersion: "42", continue: "next" },
    });
  });

  test("is the same wherever its bytes are cut", () => {
    const objects = fc.array(
      fc.record({
        metadata: fc.record({ name: fc.string(), text: fc.string({ unit: "binary" }) }),
        spec: fc.jsonValue({ maxDepth: 3 }),
      }),
    );
    const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(objects, fractions, fc.boolean(), (items, places, pretty) => {
        const whole = { kind: "PodList", apiVersion: "v1", metadata: {}, items };
        const text = JSON.stringify(whole, undefined, pretty ? 2 : 0);
        const expected = (JSON.parse(text) as { items: object[] }).items.map(typed);
        expect(list(text, cut(bytesOf(text), places))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test("is the same byte by byte", () => {
    const text = podList([pod("ä"), pod("🧀"), pod("c")]);
    const pieces = Array.from(bytesOf(text), (byte) => Uint8Array.of(byte));
    expect(list(text, pieces)).toEqual([pod("ä"), pod("🧀"), pod("c")].map(typed));
  });

  test("is not misled by items within items that begin like the items of the list", () => {
    const nested = pod("outer", {
      templates: [pod("inner-1"), pod("inner-2")],
      text: JSON.stringify([pod("quoted-1"), pod("quoted-2")]),
    });
    const items = [pod("first"), nested, nested, pod("last")];
    expect(list(podList(items))).toEqual(items.map(typed));
  });

  test("accepts items that begin differently", () => {
    const items = [pod("a"), { spec: {}, ...pod("b") }, { data: [], ...pod("c") }, pod("d")];
    expect(list(podList(items))).toEqual(items.map(typed));
  });

  test("keeps the type that items have themselves, as in lists of custom resources", () => {
    const items = [
      { apiVersion: "example.com/v1", kind: "Widget", ...pod("a") },
      { apiVersion: "example.com/v2", kind: "Gadget", ...pod("b") },
    ];
    const text = JSON.stringify({
      apiVersion: "example.com/v1",
      items,
      kind: "WidgetList",
      metadata: { continue: "", resourceVersion: "5" },
    });
    const decoder = jsonDecoder().list<Item>();
    expect(decodeList(decoder, [bytesOf(text)])).toEqual(items);
    expect(decoder).toMatchObject({ kind: "WidgetList", metadata: { resourceVersion: "5" } });
  });

  test("adds the type to items also when the list has it after them", () => {
    const text = JSON.stringify({ items: [pod("a"), pod("b")], apiVersion: "v1", kind: "PodList" });
    expect(list(text)).toEqual([typed(pod("a")), typed(pod("b"))]);
  });

  test("adds the type to items that lack it among others that have it", () => {
    const own = { kind: "Special", apiVersion: "v9", ...pod("a") };
    expect(list(podList([own, pod("b"), own]))).toEqual([own, typed(pod("b")), own]);
  });

  test("creates items of one shape, typed or not, as in a watch", () => {
    const [item] = list(podList([pod("a")]));
    expect(Object.keys(item ?? {})).toEqual(["kind", "apiVersion", "metadata"]);
  });

  test.each([
    ["an empty list", '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}'],
    ["a list that Go wrote as null", '{"kind":"PodList","items":null}'],
    ["a list without items", '{"kind":"PodList","apiVersion":"v1"}'],
    ["white space around it", ' \n{ "kind" : "PodList" , "items" : [ ] } \n'],
  ])("accepts %s", (_, text) => {
    expect(list(text)).toEqual([]);
  });

  test("accepts an empty object among the items", () => {
    expect(list('{"kind":"PodList","apiVersion":"v1","items":[{},{ }]}')).toEqual([
      { kind: "Pod", apiVersion: "v1" },
      { kind: "Pod", apiVersion: "v1" },
    ]);
  });

  test("accepts an item of many megabytes", () => {
    const large = pod("large", { data: "x".repeat(8_000_000) });
    const bytes = bytesOf(podList([pod("a"), large, pod("b")]));
    const places = Array.from({ length: 128 }, (_, index) => index / 128);
    expect(list("", cut(bytes, places))).toEqual([pod("a"), large, pod("b")].map(typed));
  });

  test("removes managedFields from the items' metadata, and nowhere else", () => {
    const managedFields = [{ manager: "x", fieldsV1: { "f:spec": {} } }];
    const spec = { managedFields };
    const item = { metadata: { name: "a", managedFields }, spec };
    const decoder = jsonDecoder({ stripManagedFields: true }).list<Item>();
    expect(decodeList(decoder, [bytesOf(podList([item, item]))])).toEqual([
      typed({ metadata: { name: "a" }, spec }),
      typed({ metadata: { name: "a" }, spec }),
    ]);
  });
});

describe("a list whose keys are spelled with escapes", () => {
  const escaped = String.raw`{"k\u0069nd":"PodList","apiVersi\u006fn":"v1",
    "met\u0061data":{"res\u006furceVersion":"7"},
    "\u0069tems":[{"met\u0061data":{"n\u0061me":"a"}}]}`;

  test("has the same items, type and metadata", () => {
    const decoder = jsonDecoder().list<Item>();
    expect(decodeList(decoder, [bytesOf(escaped)])).toEqual([typed({ metadata: { name: "a" } })]);
    expect(decoder).toMatchObject({ kind: "PodList", metadata: { resourceVersion: "7" } });
  });

  test("is matched to held objects by what the keys spell", () => {
    const text = String.raw`{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{
      "name":"b","name\u0020":"x","uid":"u","resourceVersion":"1","n\u0061me":"a"}}]}`;
    const asked: unknown[] = [];
    const decoder = jsonDecoder().list<Item>({ reuse: (identity) => void asked.push(identity) });
    decodeList(decoder, [bytesOf(text)]);
    expect(asked).toEqual([{ name: "a", namespace: "", uid: "u", resourceVersion: "1" }]);
  });

  test("also loses managedFields", () => {
    const text = String.raw`{"kind":"PodList","apiVersion":"v1","items":[
      {"metadata":{"name":"a","managed\u0046ields":[{}],"managedFields":[{"x":1}]}}]}`;
    const decoder = jsonDecoder({ stripManagedFields: true }).list<Item>();
    expect(decodeList(decoder, [bytesOf(text)])).toEqual([typed({ metadata: { name: "a" } })]);
  });
});

describe("a list that misleads the decoder's guesses", () => {
  const managedFields = [{ a: { b: [{}], c: 1 } }, { metadata: { name: "z" } }];

  test("is decoded correctly where an item seems to end within its managedFields", () => {
    const items = [pod("a"), { metadata: { managedFields, name: "b" }, spec: {} }, pod("c")];
    const decoder = jsonDecoder({ stripManagedFields: true }).list<Item>();
    expect(decodeList(decoder, [bytesOf(podList(items))])).toEqual(
      [pod("a"), { metadata: { name: "b" }, spec: {} }, pod("c")].map(typed),
    );
  });

  test("keeps the items after an empty one", () => {
    const items = [{}, {}, pod("a"), {}, pod("b")];
    expect(list(podList(items))).toEqual(items.map(typed));
  });
});

describe("the work for a list", () => {
  /** Counts parsed characters, and searched ones as an eighth. */
  function workOf(text: string): number {
    let work = 0;
    const { parse } = JSON;
    const parsing = vi.spyOn(JSON, "parse").mockImplementation((piece: string) => {
      work += piece.length;
      return parse(piece) as unknown;
    });
    const searching = vi.spyOn(String.prototype, "indexOf").mockImplementation(function indexOf(
      this: string,
      pattern: string,
      from = 0,
    ) {
      const place = this.slice(from).search(
        new RegExp(pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)),
      );
      work += (place < 0 ? this.length - from : place) / 8;
      return place < 0 ? -1 : from + place;
    });
    try {
      list(
        text,
        cut(
          bytesOf(text),
          Array.from({ length: 4 }, (_, index) => index / 4),
        ),
      );
    } finally {
      parsing.mockRestore();
      searching.mockRestore();
    }
    return work;
  }

  const pods = Array.from({ length: 400 }, (_, index) =>
    pod(`pod-${index}`, {
      spec: { containers: [{ name: "app", env: [{ name: "A" }, { name: "B" }] }, { name: "b" }] },
      metadata2: { name: "x" },
    }),
  );

  test.each([
    ["is empty", {}],
    ["has another first member", { spec: { a: [{}] }, metadata: { name: "x" } }],
    ["has annotations first", { metadata: { annotations: {}, name: "x" } }],
    ["names its kind", { kind: "Pod", apiVersion: "v1", metadata: { name: "x" } }],
    ["begins like what is within the others", { name: "app", metadata: {} }],
    ["is full of others", { metadata: { name: "x" }, list: pods.slice(0, 20) }],
  ])("grows by at most half if its first item %s", (_, first) => {
    const usual = workOf(podList(pods));
    expect(workOf(podList([first, ...pods]))).toBeLessThan(1.5 * usual);
  });

  test("grows by at most half if its items begin in two ways", () => {
    const items = pods.map((item, index) =>
      index % 2 === 0 ? item : { ...item, metadata: { annotations: { a: "1" }, ...item.metadata } },
    );
    expect(workOf(podList(items))).toBeLessThan(1.5 * workOf(podList(pods)));
  });
});

describe("a list with an object above the limit", () => {
  const items = [pod("a"), pod("b", { data: "ß".repeat(2000) }), pod("c")];
  const decode = (bytes: number, places: readonly number[], text = podList(items)): unknown[] =>
    decodeList(jsonDecoder({ maxObjectBytes: bytes }).list<Item>(), cut(bytesOf(text), places));
  const size = bytesOf(JSON.stringify(items[1])).length;

  test.each([[[]], [[0.5]], [[0.2, 0.4, 0.6, 0.8]]])(
    "is rejected at the limit and accepted with one byte more, cut at %s",
    (places) => {
      expect(decode(size, places)).toEqual(items.map(typed));
      expect(() => decode(size - 1, places)).toThrow(DecodeError);
      expect(() => decode(size - 1, places)).toThrow(/an item of at most 4 KiB \(maxObjectBytes\)/);
    },
  );

  test("is rejected before it has arrived completely", () => {
    const decoder = jsonDecoder({ maxObjectBytes: 1000 }).list<Item>();
    const start = bytesOf('{"items":[{"a":"');
    decoder.write(start, []);
    expect(() => decoder.write(new Uint8Array(1000).fill(0x61), [])).toThrow(/1000 bytes/);
  });

  test("is rejected above 16 MiB, unless the option has another limit", () => {
    const decoder = jsonDecoder().list<Item>();
    decoder.write(bytesOf('{"items":[{"a":"'), []);
    const chunk = new Uint8Array(1024 * 1024).fill(0x61);
    const write = (): void => {
      for (let count = 0; count < 16; count++) decoder.write(chunk, []);
    };
    expect(write).toThrow(/16 MiB/);
  });

  test.each([0, -1, Number.NaN, "1"])("rejects a limit of %s", (maxObjectBytes) => {
    expect(() => jsonDecoder({ maxObjectBytes: maxObjectBytes as number })).toThrow(
      /option maxObjectBytes: expected a number of 1 or more/,
    );
  });
});

describe("a response that is not a list", () => {
  test.each([
    ["a page of a proxy", "<html>", "LW_DECODE"],
    ["an object of another kind", '{"kind":"Pod","metadata":{}}', "LW_NOT_A_LIST"],
    ["a Status", '{"kind":"Status","code":500}', "LW_NOT_A_LIST"],
    ["items that are no array", '{"kind":"PodList","items":{"a":1}}', "LW_NOT_A_LIST"],
    ["an item that is no object", '{"kind":"PodList","items":[{}, 1]}', "LW_DECODE"],
    ["an item that is no JSON", '{"kind":"PodList","items":[{"a":oops}]}', "LW_DECODE"],
    ["something behind its end", '{"kind":"PodList","items":[]} {}', "LW_DECODE"],
    ["a member without a name", '{"kind":"PodList",1}', "LW_DECODE"],
    ["a broken kind", '{"kind":oops,"items":[]}', "LW_DECODE"],
    ["a broken member that is not read", '{"kind":"PodList","x":[1,],"items":[]}', "LW_DECODE"],
    ["a control character in a key", '{"kind":"PodList","x\u0001":1,"items":[]}', "LW_DECODE"],
    ["a comma before its members", '{,"kind":"PodList","items":[]}', "LW_DECODE"],
    ["a comma behind its members", '{"kind":"PodList","items":[],}', "LW_DECODE"],
    ["no comma between its members", '{"kind":"PodList" "items":[]}', "LW_DECODE"],
    ["no colon behind a key", '{"kind" "PodList","items":[]}', "LW_DECODE"],
    ["a comma before its items", '{"kind":"PodList","items":[,{}]}', "LW_DECODE"],
    ["a comma behind its items", '{"kind":"PodList","items":[{},]}', "LW_DECODE"],
    ["two commas between its items", '{"kind":"PodList","items":[{},,{}]}', "LW_DECODE"],
    ["no comma between its items", '{"kind":"PodList","items":[{}{}]}', "LW_DECODE"],
    ["a comma within an item", '{"kind":"PodList","items":[{"a":1,}]}', "LW_DECODE"],
    ["the mark of byte order", '\ufeff{"kind":"PodList","items":[]}', "LW_DECODE"],
    ["items that come twice", '{"kind":"PodList","items":[{}],"items":[]}', "LW_DECODE"],
    ["a kind that is no text", '{"kind":{"a":1},"items":[]}', "LW_DECODE"],
    ["metadata that are no object", '{"kind":"PodList","metadata":[],"items":[]}', "LW_DECODE"],
    [
      "a resourceVersion that is an object",
      '{"kind":"PodList","metadata":{"resourceVersion":{}},"items":[]}',
      "LW_DECODE",
    ],
    [
      "a continue token that is a number",
      '{"kind":"PodList","metadata":{"continue":1},"items":[]}',
      "LW_DECODE",
    ],
  ])("is reported: %s", (_, text, code) => {
    expect(() => list(text)).toThrow(expect.objectContaining({ code }));
  });

  test("is reported with the position and the beginning of the text", () => {
    expect(() => list('{"kind":"PodList","items":[{"a":1},oops]}')).toThrow(
      expect.objectContaining({ offset: 35, start: "oops]}" }),
    );
  });

  test.each([0, 1, 20, 60, 100])("is quoted up to %i characters", (length) => {
    const text = podList([pod("a"), pod("b")]).slice(0, length);
    expect(() => list(text)).toThrow(NetworkError);
    expect(() => list(text)).toThrow(expect.objectContaining({ kind: "unexpected-eof" }));
  });

  test("still returns the items before the error", () => {
    const items: Item[] = [];
    const text = podList([pod("a"), pod("b")]).replace('"u-b"', "oops");
    expect(() => jsonDecoder().list<Item>().write(bytesOf(text), items)).toThrow(/an item as JSON/);
    expect(items).toEqual([typed(pod("a"))]);
  });
});

describe("a list decoded while the objects of an earlier one are held", () => {
  test("returns the held object where uid and resourceVersion are the same, and parses the others", () => {
    const held = typed(pod("a"));
    const asked: Parameters<ReuseFunction<unknown>>[0][] = [];
    const decoder = jsonDecoder().list<object>({
      reuse: (identity) => {
        asked.push(identity);
        return identity.uid === "u-a" && identity.resourceVersion === "7" ? held : undefined;
      },
    });
    const items = decodeList(decoder, [bytesOf(podList([pod("a"), pod("b")]))]);
    expect(items[0]).toBe(held);
    expect(items).toEqual([typed(pod("a")), typed(pod("b"))]);
    expect(asked).toEqual(
      ["a", "b"].map((name) => ({
        namespace: "default",
        name,
        uid: `u-${name}`,
        resourceVersion: "7",
      })),
    );
  });

  test("does not look up objects that cannot be identified", () => {
    const items = [
      { spec: {} },
      { metadata: { name: "a" } },
      { metadata: { name: 'q"', uid: "u" } },
    ];
    const decoder = jsonDecoder().list<object>({
      reuse: () => {
        throw new Error("not to be asked");
      },
    });
    expect(decodeList(decoder, [bytesOf(podList(items))])).toEqual(items.map(typed));
  });
});
