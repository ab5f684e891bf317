import { describe, expect, test } from "vitest";
import { jsonDecoder } from "../../src/json/json-decoder.ts";
import type { WatchEvent } from "../../src/resource/list-watch.ts";

const encoder = new TextEncoder();
const list =
  '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"a"}}]}';
const event = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';

/** What a write is refused with. */
function failureOf(write: () => void): unknown {
  try {
    write();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each([
  ["lazy", { lazy: true }],
  ["projected", { fields: ["metadata.labels"] }],
] as const)("a decoder of %s objects that has failed", (_, form) => {
  test("reads nothing more of a list, whatever comes", async () => {
    const decoder = await jsonDecoder().inForm?.(form);
    const items: unknown[] = [];
    const failed = decoder?.list<unknown>();
    const first = failureOf(() => failed?.write(encoder.encode("no list"), items));
    expect(first).toBeInstanceOf(Error);
    expect(failureOf(() => failed?.write(encoder.encode(list), items))).toBe(first);
    expect(items).toEqual([]);
    // The scanner that it gave back reads the next list.
    decoder?.list<unknown>().write(encoder.encode(list), items);
    expect(items).toHaveLength(1);
  });

  test("reads nothing more of a watch, whatever comes", async () => {
    const decoder = await jsonDecoder().inForm?.(form);
    const events: WatchEvent<unknown>[] = [];
    const failed = decoder?.watch<unknown>();
    const first = failureOf(() => failed?.write(encoder.encode("no event\n"), events));
    expect(first).toBeInstanceOf(Error);
    expect(failureOf(() => failed?.write(encoder.encode(event), events))).toBe(first);
    expect(events).toEqual([]);
    decoder?.watch<unknown>().write(encoder.encode(event), events);
    expect(events).toHaveLength(1);
  });
});
