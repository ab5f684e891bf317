import { DecodeError, jsonDecoder, type WatchEvent } from "@listwatch/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, cut, decodeWatch } from "../support/bytes.ts";
import { growth, mostOfLinear } from "../support/growth.ts";

interface Pod {
  readonly metadata: Readonly<Record<string, unknown>>;
}

const event = (name: string, more: object = {}): WatchEvent<Pod> => ({
  type: "ADDED",
  object: { kind: "Pod", metadata: { name, resourceVersion: "1" }, ...more } as Pod,
});

const linesOf = (events: readonly unknown[], end = "\n"): string =>
  events.map((one) => JSON.stringify(one) + end).join("");

describe("a streamed list whose objects are held", () => {
  const held: Pod = { metadata: { name: "held" } };
  const unreadable = (type: string, uid: string): string =>
    `{"type":"${type}","object":{"kind":"Pod","metadata":{"name":"a","uid":"${uid}","resourceVersion":"5"},"spec":{never parsed}}}\n`;
  const reuse = ({ uid }: { readonly uid: string }): Pod | undefined =>
    uid === "1" ? held : undefined;

  test("returns the object held in exactly this state, without parsing its text", () => {
    const decoder = jsonDecoder().watch<Pod>({ reuse });
    const events = decodeWatch(decoder, [
      bytesOf(unreadable("ADDED", "1") + linesOf([event("b")])),
    ]);
    expect(events).toEqual([{ type: "ADDED", object: held }, event("b")]);
    expect(events[0]?.object).toBe(held);
  });

  test("parses objects that are not held, events other than ADDED, and a cut line", () => {
    const lines = [unreadable("ADDED", "2"), unreadable("MODIFIED", "1")];
    lines.push(unreadable("ADDED", "1").replace("}}}", ""));
    for (const line of lines) {
      const decoder = jsonDecoder().watch<Pod>({ reuse });
      expect(() => decodeWatch(decoder, [bytesOf(line)])).toThrow(DecodeError);
    }
  });

  test("parses everything that follows the first bookmark", () => {
    const decoder = jsonDecoder().watch<Pod>({ reuse });
    const bookmark = { type: "BOOKMARK", object: { metadata: { resourceVersion: "9" } } };
    const bytes = bytesOf(linesOf([bookmark]) + unreadable("ADDED", "1"));
    expect(() => decodeWatch(decoder, [bytes])).toThrow(DecodeError);
  });
});

describe("a watch decoded from JSON lines", () => {
  test("is the same wherever its bytes are cut, within a character too", () => {
    const events = [event("a"), event("käse-🧀-\u2028"), event("c", { data: "x".repeat(300) })];
    const bytes = bytesOf(linesOf(events));
    const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(fractions, (places) => {
        expect(decodeWatch(jsonDecoder().watch<Pod>(), cut(bytes, places))).toEqual(events);
      }),
    );
  });

  test("is the same byte by byte", () => {
    const events = [event("ä"), event("€"), event("🧀")];
    const pieces = Array.from(bytesOf(linesOf(events)), (byte) => Uint8Array.of(byte));
    expect(decodeWatch(jsonDecoder().watch<Pod>(), pieces)).toEqual(events);
  });

  test("accepts lines that end with CRLF, and ignores empty ones", () => {
    const bytes = bytesOf(`\r\n${linesOf([event("a"), event("b")], "\r\n")}\n  \n`);
    expect(decodeWatch(jsonDecoder().watch<Pod>(), [bytes])).toEqual([event("a"), event("b")]);
  });

  test("accepts a line of many megabytes in many chunks", () => {
    const large = event("large", { data: "ß".repeat(4_000_000) });
    const bytes = bytesOf(linesOf([large, event("small")]));
    const places = Array.from({ length: 200 }, (_, index) => index / 200);
    expect(decodeWatch(jsonDecoder().watch<Pod>(), cut(bytes, places))).toEqual([
      large,
      event("small"),
    ]);
  });

  test("returns events before the chunk with the next one arrives", () => {
    const decoder = jsonDecoder().watch<Pod>();
    const events: WatchEvent<Pod>[] = [];
    const [first = "", second = ""] = linesOf([event("a"), event("b")]).split(/(?<=\n)/);
    decoder.write(bytesOf(first + second.slice(0, 10)), events);
    expect(events).toEqual([event("a")]);
  });

  test("drops a cut last line, and accepts one that only lacks its newline", () => {
    const [whole] = linesOf([event("b")]).split("\n");
    const text = linesOf([event("a")]);
    const watch = () => jsonDecoder().watch<Pod>();
    expect(decodeWatch(watch(), [bytesOf(text + whole?.slice(0, -1))])).toEqual([event("a")]);
    expect(decodeWatch(watch(), [bytesOf(`${text}${whole}`)])).toEqual([event("a"), event("b")]);
  });

  test("reports a line that is not JSON, after the events before it", () => {
    const decoder = jsonDecoder().watch<Pod>();
    const events: WatchEvent<Pod>[] = [];
    const before = linesOf([event("a")]);
    const write = () => decoder.write(bytesOf(`${before}<html>no\n`), events);
    expect(write).toThrow(DecodeError);
    expect(events).toEqual([event("a")]);
  });

  test.each([
    '"text"',
    "[]",
    "{}",
    '{"type":"ADDED","object":[]}',
    '{"type":1,"object":{}}',
    '{"type":"ADDED","object":null}',
  ])("rejects the line %s, which is not an event", (line) => {
    const decoder = jsonDecoder().watch<Pod>();
    expect(() => decoder.write(bytesOf(`${line}\n`), [])).toThrow(/expected a watch event/);
  });

  test("reports the position and the beginning of a bad line", () => {
    const before = linesOf([event("a")]);
    let failure: unknown;
    try {
      jsonDecoder()
        .watch<Pod>()
        .write(bytesOf(`${before}oops\n`), []);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(DecodeError);
    expect(failure).toMatchObject({ offset: before.length, start: "oops" });
  });
});

describe("a watch with an event above the limit", () => {
  const large = event("large", { data: "ß".repeat(1000) });
  const size = bytesOf(JSON.stringify(large)).length;
  const bytes = bytesOf(linesOf([event("a"), large, event("c")]));
  const decode = (maxObjectBytes: number, places: readonly number[]): unknown[] =>
    decodeWatch(jsonDecoder({ maxObjectBytes }).watch<Pod>(), cut(bytes, places));

  test.each([[[]], [[0.5]], [[0.1, 0.3, 0.5, 0.7]]])("is rejected, cut at %s", (places) => {
    expect(decode(size, places)).toEqual([event("a"), large, event("c")]);
    expect(() => decode(size - 1, places)).toThrow(
      /expected a watch event of at most 2 KiB \(maxObjectBytes\)/,
    );
  });

  test("is rejected before its end, after 16 MiB without a newline", () => {
    const decoder = jsonDecoder().watch<Pod>();
    const chunk = new Uint8Array(1024 * 1024).fill(0x20);
    for (let count = 0; count < 16; count++) decoder.write(chunk, []);
    expect(() => decoder.write(Uint8Array.of(0x20), [])).toThrow(/at most 16 MiB/);
  });
});

describe("a last line without its newline", () => {
  const end = (text: string): unknown => decodeWatch(jsonDecoder().watch<Pod>(), [bytesOf(text)]);

  test.each(["<html>Sign in", '{"kind":"Status","code":500}', "[]", "\ufeff{}"])(
    "that cannot begin an event is rejected: %s",
    (text) => {
      expect(() => end(text)).toThrow(DecodeError);
    },
  );

  test.each(["", " \r", '{"type":"ADD', "{"])("that was cut is dropped: %s", (text) => {
    expect(end(text)).toEqual([]);
  });
});

describe("a watch decoded with stripManagedFields", () => {
  const strip = (object: object): unknown => {
    const line = `${JSON.stringify({ type: "ADDED", object })}\n`;
    return decodeWatch(jsonDecoder({ stripManagedFields: true }).watch<Pod>(), [bytesOf(line)])[0]
      ?.object;
  };
  const managedFields = [
    { manager: 'tricky "}]" \\', fieldsV1: { 'k:{"a":"}]"}': { ".": {}, "f:b": [] } } },
  ];

  test.each([
    { name: "first", metadata: { managedFields, name: "a" } },
    { name: "last", metadata: { name: "a", managedFields } },
    { name: "in the middle", metadata: { name: "a", managedFields, uid: "u" } },
    { name: "alone", metadata: { managedFields } },
  ])("removes the field from the metadata where it is $name", ({ metadata }) => {
    const { managedFields: _, ...rest } = metadata as Record<string, unknown>;
    expect(strip({ kind: "Pod", metadata, spec: { x: 1 } })).toEqual({
      kind: "Pod",
      metadata: rest,
      spec: { x: 1 },
    });
  });

  test.each([
    ["ends with something else than an object", [{}, null]],
    ["is empty", []],
    ["has arrays within", [{ a: [{}], b: [[{}], 1] }]],
    ["has brackets in its strings", [{ "a}],": 1, b: "}]}", 'c}],":[":",1]': [] }]],
    ["is no array", { a: [{}] }],
    ["is a word", null],
  ])("removes a field that %s, whatever follows it", (_, strange) => {
    const metadata = { managedFields: strange, more: [{}], annotations: { x: "}]," } };
    const { managedFields: _cut, ...rest } = metadata;
    expect(strip({ metadata, spec: [{}] })).toEqual({ metadata: rest, spec: [{}] });
  });

  test("keeps fields of that name elsewhere", () => {
    const object = {
      spec: { managedFields, text: '"managedFields":[1]' },
      metadata: { name: "a", annotations: { managedFields: "mine", x: '"managedFields":[]' } },
      managedFields,
    };
    expect(strip(object)).toEqual(object);
  });

  test("equals deleting the field after parsing, for any object", () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const metadata = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("managedFields", "name")),
      json,
    );
    fc.assert(
      fc.property(metadata, fc.dictionary(fc.string(), json), (meta, rest) => {
        const object: Record<string, unknown> = { ...rest, metadata: meta };
        const text = JSON.stringify(object);
        const expected = JSON.parse(text) as { metadata: Record<string, unknown> };
        delete expected.metadata["managedFields"];
        expect(strip(JSON.parse(text) as object)).toEqual(expected);
      }),
    );
  });
});

test("blank lines take linear time", async () => {
  const ratio = await growth(10_000, (size) => {
    const blank = bytesOf("\n".repeat(size) + " \r\n".repeat(size));
    return () => {
      const decoder = jsonDecoder().watch<object>();
      const events: WatchEvent<object>[] = [];
      decoder.write(blank, events);
      decoder.write(bytesOf('{"type":"ADDED","object":{}}\n'), events);
      expect(events).toHaveLength(1);
    };
  });
  expect(ratio).toBeLessThan(mostOfLinear);
});
