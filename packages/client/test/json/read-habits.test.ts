import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lazyMembers } from "@listwatch/core-fifo/base";
import { bytesOf } from "../support/bytes.ts";
import { formDecoder, scanners } from "../support/forms.ts";

const long = "more than sixty-four bytes of text, so that it can be lazy, which is so";
const managedFields = [{ manager: "kubelet", operation: "Update", fieldsV1: { note: long } }];

interface Thing {
  readonly metadata: { readonly name: string; readonly managedFields?: unknown };
  readonly spec?: unknown;
  readonly status?: unknown;
}

function thing(index: number): Thing {
  return {
    metadata: { name: `thing-${index}`, managedFields },
    spec: { index, note: long },
    status: { index, note: long },
  };
}

/** Watches things one after the other with a program that reads them. */
class Reading {
  readonly #watch;
  readonly #read: (object: Thing, index: number) => void;
  #index = 0;

  constructor(
    read: (object: Thing, index: number) => void,
    scanner: (typeof scanners)[number] = "WebAssembly",
    strip = false,
  ) {
    this.#read = read;
    this.#watch = formDecoder({ lazy: true }, scanner, strip).watch<Thing>();
  }

  /** Returns which members of the next objects were lazy before they were read. */
  next(count: number): string[] {
    return Array.from({ length: count }, () => {
      const index = this.#index++;
      const line = JSON.stringify({ type: "MODIFIED", object: thing(index) });
      const events: { type: string; object: unknown }[] = [];
      this.#watch.write(bytesOf(`${line}\n`), events as never[]);
      const object = events[0]?.object as Thing;
      const lazy = [object, object.metadata].flatMap((holder) => lazyNamesOf(holder));
      this.#read(object, index);
      return lazy.join(" ");
    });
  }
}

function countOf(values: readonly string[], value: string): number {
  return values.filter((each) => each === value).length;
}

describe("a member that the program reads of most objects", () => {
  test("is parsed with the object from the seventeenth on, but for one object in 64 (LAZY-17)", () => {
    const reading = new Reading(({ spec }) => spec);
    const all = reading.next(640);
    expect(all.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => "spec status managedFields"));
    expect(countOf(all.slice(16), "status managedFields")).toBe(624 - 9);
    expect(countOf(all.slice(16), "spec status managedFields")).toBe(9);
  });

  test("is read so late that many were lazy before", () => {
    const objects: Thing[] = [];
    const reading = new Reading((object) => void objects.push(object));
    reading.next(5000);
    expect(countOf(reading.next(64), "spec status managedFields")).toBe(64);
    for (const { spec } of objects) expect(spec).toBeDefined();
    expect(countOf(reading.next(64), "status managedFields")).toBe(63);
  });

  test("becomes lazy again when it is not read any more", () => {
    let isRead = true;
    const reading = new Reading((object) => isRead && object.spec);
    reading.next(2000);
    isRead = false;
    reading.next(2000);
    expect(countOf(reading.next(64), "spec status managedFields")).toBe(64);
  });

  test("does not make others so, which are read of few", () => {
    const reading = new Reading((object, index) => index % 2 === 0 && [object.spec, object.status]);
    expect(countOf(reading.next(1000), "spec status managedFields")).toBe(1000);
  });

  test("and all others make whole objects", () => {
    const reading = new Reading((object) => JSON.stringify(object));
    reading.next(64);
    const all = reading.next(128);
    expect(countOf(all, "")).toBe(126);
    expect(countOf(all, "spec status managedFields")).toBe(2);
  });
});

describe.each(scanners)("objects whose members are read, found by %s", (scanner) => {
  test.each([false, true])("are those of JSON.parse, whatever is read, stripped: %s", (strip) => {
    const wanted = (index: number): Thing => {
      const object = thing(index);
      return strip ? { ...object, metadata: { name: object.metadata.name } } : object;
    };
    const plans = fc.array(fc.record({ count: fc.nat(80), read: fc.subarray([...members]) }));
    fc.assert(
      fc.property(plans, (plan) => {
        let read: readonly (typeof members)[number][] = [];
        const check = (object: Thing, index: number): void => {
          for (const name of read) {
            const holder = name === "managedFields" ? object.metadata : object;
            expect(Reflect.get(holder, name)).toEqual(
              Reflect.get(name === "managedFields" ? wanted(index).metadata : wanted(index), name),
            );
          }
          // Without reading what is not to be read: its text is compared.
          expect(textOf(object)).toBe(JSON.stringify(wanted(index)));
        };
        const reading = new Reading(check, scanner, strip);
        for (const { count, read: wantedMembers } of plan) {
          read = wantedMembers;
          reading.next(count);
        }
      }),
      { numRuns: 20, seed: 3 },
    );
  });
});

const members = ["spec", "status", "managedFields"] as const;

function lazyNamesOf(object: object): string[] {
  return Object.keys(object).filter((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(object, name);
    return descriptor !== undefined && "get" in descriptor;
  });
}

/** The JSON of an object, without reading its lazy members. */
function textOf(object: object): string {
  const held: unknown = Reflect.get(object, lazyMembers);
  const names = lazyNamesOf(object);
  const entries = Object.keys(object).map((name) => {
    const place = names.indexOf(name);
    if (place >= 0) {
      const kept: unknown = Array.isArray(held) ? held[place + 1] : undefined;
      return `${JSON.stringify(name)}:${typeof kept === "string" ? kept : JSON.stringify(kept)}`;
    }
    const value: unknown = Reflect.get(object, name);
    const isNested = name === "metadata" && typeof value === "object" && value !== null;
    return `${JSON.stringify(name)}:${isNested ? textOf(value) : JSON.stringify(value)}`;
  });
  return `{${entries.join(",")}}`;
}
