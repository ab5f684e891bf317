import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fnv1a64, shardRange, ShardSelector } from "../../src/index.ts";

const utf8 = new TextEncoder();

/** The definition of the hash, in big integers. */
function defined(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8.encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}

describe("the hash of a shard", () => {
  test("is FNV-1a of 64 bits (SHD-2, SHS-6)", () => {
    // Vectors of draft-eastlake-fnv, appendix C.
    expect(fnv1a64("")).toBe(0xcbf29ce484222325n);
    expect(fnv1a64("a")).toBe(0xaf63dc4c8601ec8cn);
    expect(fnv1a64("foobar")).toBe(0x85944171f73967e8n);
    // Go: fnv.New64a() of a uid.
    expect(fnv1a64("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee")).toBe(
      defined("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"),
    );
  });

  test("equals its definition for every string (SHS-6)", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string({ unit: "binary" })), (text) => {
        expect(fnv1a64(text)).toBe(defined(text));
      }),
    );
  });
});

describe("shardRange", () => {
  test("the shards of every count contain each hash once, without gap or overlap (SHS-6)", () => {
    const counts = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(counts, fc.uuid(), fc.constantFrom("uid", "namespace"), (count, text, key) => {
        const shards = Array.from({ length: count }, (_, index) => shardRange(key, index, count));
        const bounds = shards.map((shard) => shard.match(/0x[0-9a-f]+/gu) ?? []);
        expect(bounds[0]?.[0]).toBe("0x0000000000000000");
        expect(bounds.at(-1)?.[1]).toBe("0x10000000000000000");
        for (const [index, [start]] of bounds.slice(1).entries()) {
          expect(start).toBe(bounds[index]?.[1]);
        }
        const object = { metadata: { uid: text, namespace: text } };
        const holders = shards.filter((shard) => ShardSelector.parse(shard).matches(object));
        expect(holders).toHaveLength(1);
      }),
    );
  });

  test.each([
    ["uid", 0, 0, "count"],
    ["uid", 0, 1.5, "count"],
    ["uid", 2, 2, "index"],
    ["uid", -1, 2, "index"],
    ["name", 0, 1, "key"],
  ])("refuses a shard that does not exist: %s, %s of %s", (key, index, count, option) => {
    // @ts-expect-error a key that is not supported
    expect(() => shardRange(key, index, count)).toThrow(`Cannot use the option ${option}`);
  });
});

describe("a parsed selector", () => {
  const low = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";

  test("matches by its member of the metadata, in any of its ranges (SHD-1, SHD-4)", () => {
    const spaced =
      " shardRange( object.metadata.namespace,'0xaf63dc4c8601ec8c' , '0xaf63dc4c8601ec8d' ) ";
    const both = ShardSelector.parse(
      `${spaced}||shardRange(object.metadata.namespace, '0x85944171f73967e8', '0x85944171f73967e9')`,
    );
    const matches = ["a", "foobar", "b"].map((namespace) =>
      both.matches({ metadata: { namespace, uid: "a" } }),
    );
    expect(matches).toEqual([true, true, false]);
    expect(ShardSelector.parse(low).matches({ metadata: {} })).toBe(false);
  });

  test.each([
    "nonsense",
    "",
    "shardRange()",
    "shardRange(object.metadata.name, '0x0000000000000000', '0x8000000000000000')",
    "shardRange(object.metadata.uid, '0x0', '0x8')",
    "shardRange(object.metadata.uid, '0x8000000000000000', '0x8000000000000000')",
    `${low} || shardRange(object.metadata.namespace, '0x0000000000000000', '0x8000000000000000')`,
    `${low} && ${low}`,
  ])("refuses what a server would answer with 500: %s (SHS-5)", (text) => {
    expect(() => ShardSelector.parse(text)).toThrow("Cannot use the option shardSelector");
  });
});
