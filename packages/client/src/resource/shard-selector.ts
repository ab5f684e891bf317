import {
  aString,
  checkOption,
  createInvalidOptionError,
  type Hash,
  hashOf,
  metadataOf,
  oneOf,
  stringOf,
} from "@listwatch/core-fifo/base";

/** Member of an object's metadata whose hash determines the shard of the object. */
export type ShardKey = "namespace" | "uid";

/** A range of hashes. `end` is exclusive and `undefined` at 2⁶⁴. */
interface HashRange {
  readonly start: Hash;
  readonly end: Hash | undefined;
}

const hashSpace = 1n << 64n;
const hexDigits = 16;

/** Returns the 64-bit FNV-1a hash of a string's UTF-8 bytes, by which API servers divide objects. */
export function fnv1a64(text: string): bigint {
  const { high, low } = hashOf(text);
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Returns the upper 32 bits of {@link fnv1a64}. */
export function highHash(text: string): number {
  return hashOf(text).high;
}

/**
 * Returns the selector of one of `count` shards of equal size, for the option `shardSelector`. The
 * shards of all indexes contain each hash exactly once.
 *
 * ```ts
 * import { shardRange } from "@listwatch/client";
 *
 * console.assert(
 *   shardRange("uid", 0, 2) ===
 *     "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
 * );
 * ```
 *
 * @param key member of the metadata that is hashed
 * @param index number of the shard, from 0 to `count - 1`
 * @param count number of shards
 * @throws {InvalidOptionsError} if there is no such shard
 */
export function shardRange(key: ShardKey, index: number, count: number): string {
  checkOption("key", key, oneOf("namespace", "uid"));
  if (!Number.isSafeInteger(count) || count < 1) {
    throw createInvalidOptionError("count", "a positive integer", count);
  }
  if (!Number.isSafeInteger(index) || index < 0 || index >= count) {
    throw createInvalidOptionError("index", `an integer from 0 to ${count - 1}`, index);
  }
  const boundary = (at: number): string => {
    const value = (hashSpace * BigInt(at)) / BigInt(count);
    return `'0x${value.toString(16).padStart(hexDigits, "0")}'`;
  };
  return `shardRange(object.metadata.${key}, ${boundary(index)}, ${boundary(index + 1)})`;
}

/** A parsed `shardSelector`. It matches objects whose hash is in one of its ranges (KEP-5866). */
export class ShardSelector {
  readonly #key: ShardKey;
  readonly #ranges: readonly HashRange[];

  private constructor(key: ShardKey, ranges: readonly HashRange[]) {
    this.#key = key;
    this.#ranges = ranges;
  }

  /**
   * Parses a selector.
   *
   * @throws {InvalidOptionsError} unless it has the form `shardRange(object.metadata.uid, '0x…',
   *   '0x…')`, with 16 hexadecimal digits, or is several of them with the same member of the
   *   metadata, joined by `||`
   */
  static parse(text: string): ShardSelector {
    checkOption("shardSelector", text, aString);
    const keys = new Set<string>();
    const ranges = text.split("||").map((term) => {
      const match = rangePattern.exec(term);
      const [, key = "", start = "", end = ""] = match ?? [];
      if (match === null || boundOf(start) >= boundOf(end)) throw createError(text);
      keys.add(key);
      return {
        start: splitBound(boundOf(start)),
        end: boundOf(end) === hashSpace ? undefined : splitBound(boundOf(end)),
      };
    });
    const [key] = keys;
    if (keys.size !== 1 || (key !== "namespace" && key !== "uid")) throw createError(text);
    return new ShardSelector(key, ranges);
  }

  /** Returns whether an object belongs to the shard. */
  matches(object: unknown): boolean {
    const hash = hashOf(stringOf(metadataOf(object)?.[this.#key]));
    return this.#ranges.some(
      ({ end, start }) => !isLess(hash, start) && (end === undefined || isLess(hash, end)),
    );
  }
}

const bound = "'(0x[0-9a-f]{16}|0x10000000000000000)'";
const member = String.raw`object\.metadata\.(namespace|uid)`;
const rangePattern = new RegExp(
  String.raw`^\s*shardRange\(\s*${member}\s*,\s*${bound}\s*,\s*${bound}\s*\)\s*$`,
  "u",
);

function boundOf(literal: string): bigint {
  return BigInt(literal);
}

function splitBound(value: bigint): Hash {
  return { high: Number(value >> 32n), low: Number(value & 0xffffffffn) };
}

function isLess(a: Hash, b: Hash): boolean {
  return a.high === b.high ? a.low < b.low : a.high < b.high;
}

function createError(text: string): Error {
  const form = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
  return createInvalidOptionError("shardSelector", `ranges such as ${form} joined by ||`, text);
}
