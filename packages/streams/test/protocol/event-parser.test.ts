import fc from "fast-check";
import { expect, test } from "vitest";
import { EventParser, type ServerSentEvent } from "../../src/protocol/event-parser.ts";
import { formatResume, parseResume } from "../../src/protocol/messages.ts";

const encoder = new TextEncoder();

function parse(text: string): ServerSentEvent[] {
  return new EventParser().push(encoder.encode(text));
}

test("reads events as the HTML standard says", () => {
  expect(parse("event: set\ndata: 1\nid: a\n\n")).toEqual([{ type: "set", data: "1", id: "a" }]);
  expect(parse("data:1\r\ndata: 2\r\n\r\n")).toEqual([{ type: "", data: "1\n2", id: undefined }]);
  expect(parse(":\n\nid: b\n\n")).toEqual([{ type: "", data: "", id: "b" }]);
  expect(parse("data\rother: x\r\r\n")).toEqual([{ type: "", data: "", id: undefined }]);
  expect(parse("data: 1\n")).toEqual([]);
});

test("reads the same events from bytes in any pieces", () => {
  const text =
    'event: set\ndata: {"key":"ä/é"}\r\nid: a\r\n\r\nid: b\n\n:\n\nevent: x\rdata: 1\r\r\n';
  const bytes = encoder.encode(text);
  const expected = parse(text);
  expect(expected.length).toBe(3);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      const ends = [...new Set([...cuts, bytes.length])].toSorted((a, b) => a - b);
      const parser = new EventParser();
      let start = 0;
      const events = ends.flatMap((end) => {
        const part = parser.push(bytes.slice(start, end));
        start = end;
        return part;
      });
      expect(events).toEqual(expected);
    }),
  );
});

test("a resume survives any names of collections", () => {
  const view = fc.stringMatching(/^[0-9a-f]+$/);
  const name = fc.string({ unit: "grapheme", minLength: 1 });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, view)), (views) => {
      const resume = { position: "e.1", views: new Map(views) };
      expect(parseResume(formatResume(resume))).toEqual(resume);
    }),
  );
  expect(parseResume(null)).toBeUndefined();
  expect(parseResume("e.1;%=a;b=c")).toEqual({ position: "e.1", views: new Map([["b", "c"]]) });
});
