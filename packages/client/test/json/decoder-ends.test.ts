import { describe, expect, test } from "vitest";
import type { Decoder } from "../../src/json/decoder.ts";
import { ObjectLimit } from "../../src/json/object-limit.ts";
import { createFormDecoder } from "../../src/json/form-decoder.ts";
import type { WatchEvent } from "../../src/resource/list-watch.ts";
import { ScriptScanner } from "../../src/structure/script-scanner.ts";
import { TextStructure } from "../../src/structure/text-structure.ts";

const encoder = new TextEncoder();
const list =
  '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"a"}}]}';
const event = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';

function failureOf(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

interface Reading {
  write(text: string): void;
  end(): void;
  readonly count: number;
}

function readList(decoder: Decoder): Reading {
  const items: unknown[] = [];
  const decoding = decoder.list<unknown>();
  return {
    write: (text) => decoding.write(encoder.encode(text), items),
    end: () => decoding.end(items),
    get count() {
      return items.length;
    },
  };
}

function readWatch(decoder: Decoder): Reading {
  const events: WatchEvent<unknown>[] = [];
  const decoding = decoder.watch<unknown>();
  return {
    write: (text) => decoding.write(encoder.encode(text), events),
    end: () => decoding.end(events),
    get count() {
      return events.length;
    },
  };
}

const forms = [
  ["lazy", { lazy: true }],
  ["projected", { fields: ["metadata.labels"] }],
] as const;
const readings = [
  ["list", readList, list, "no list"],
  ["watch", readWatch, event, "no event\n"],
] as const;
const cases = forms.flatMap(([name, form]) =>
  readings.map(([what, read, whole, wrong]) => ({ name, form, what, read, whole, wrong })),
);

describe.each(cases)("a $what of $name objects", ({ form, read, whole, wrong }) => {
  function counting(): { readonly decoder: Decoder; readonly released: () => number } {
    let released = 0;
    class Counted extends TextStructure {
      override release(): void {
        released++;
        super.release();
      }
    }
    const decoder = createFormDecoder(form, {
      stripManagedFields: false,
      limit: new ObjectLimit(undefined),
      scan: (limit) => new Counted(new ScriptScanner(), limit),
    });
    return { decoder, released: () => released };
  }

  test("releases its structure at its end, and not before", () => {
    const { decoder, released } = counting();
    const reading = read(decoder);
    reading.write(whole);
    expect([reading.count, released()]).toEqual([1, 0]);
    reading.end();
    expect(released()).toBe(1);
  });

  test("releases it after a failure, and ignores later input", () => {
    const { decoder, released } = counting();
    const reading = read(decoder);
    const first = failureOf(() => reading.write(wrong));
    expect(first).toBeInstanceOf(Error);
    expect(released()).toBe(1);
    expect(failureOf(() => reading.write(whole))).toBe(first);
    expect(failureOf(() => reading.end())).toBe(first);
    expect([reading.count, released()]).toEqual([0, 1]);
  });
});
