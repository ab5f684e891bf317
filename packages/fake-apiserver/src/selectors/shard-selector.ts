import { hashOf } from "@listwatch/core-fifo/base";
import { goQuote } from "../base/go-text.ts";
import { SelectorError } from "../api/errors.ts";

/** A parsed `shardSelector` (KEP-5866): matches objects whose hash is in one of the ranges. */
export interface ShardSelector {
  /** The selector in the form in which lists echo it (apimachinery `shardSelector.String`). */
  readonly text: string;
  matches(object: ShardKeys): boolean;
}

/** The members of an object's metadata that shards may be ranges of. */
interface ShardKeys {
  readonly uid?: string | undefined;
  readonly namespace?: string | undefined;
}

interface ShardRange {
  readonly field: ShardField;
  readonly start: bigint;
  /** Exclusive; 2⁶⁴ is the end of the hash space. */
  readonly end: bigint;
}

type ShardField = "object.metadata.uid" | "object.metadata.namespace";

/** A call with field paths or quoted strings, which may contain commas, as arguments. */
const callPattern = /^([A-Za-z_][\w]*)\(([^()]*)\)$/;
const textLiteral = /^'([^']*)'$/;
const hashSpaceEnd = "0x10000000000000000";
const hexDigits = 16;

/**
 * Parses a shard selector. The server answers an invalid one with 500.
 *
 * @throws {SelectorError} with the message of that answer
 */
export function parseShardSelector(text: string): ShardSelector {
  const expression = text.trim();
  if (expression === "") {
    throw fail("empty shard selector is not allowed; omit the parameter for unfiltered lists");
  }
  const ranges = expression.split("||").map((term) => parseRange(term.trim()));
  const field = ranges[0]?.field;
  for (const range of ranges) {
    if (range.field === field) continue;
    throw fail(`all shard ranges must use the same field, got "${field}" and "${range.field}"`);
  }
  return {
    text: ranges.map(printRange).join(" || "),
    matches(object: ShardKeys): boolean {
      const value = field === "object.metadata.uid" ? object.uid : object.namespace;
      const hash = hashShardKey(value ?? "");
      return ranges.some(({ start, end }) => hash >= start && hash < end);
    },
  };
}

/** Returns the position of a value in the hash space: 64-bit FNV-1a of its UTF-8 bytes. */
export function hashShardKey(value: string): bigint {
  const { high, low } = hashOf(value);
  return (BigInt(high) << 32n) | BigInt(low);
}

function printRange({ end, field, start }: ShardRange): string {
  const print = (value: bigint): string => `'0x${value.toString(16).padStart(hexDigits, "0")}'`;
  return `shardRange(${field}, ${print(start)}, ${print(end)})`;
}

function parseRange(term: string): ShardRange {
  const match = callPattern.exec(term);
  if (match === null) {
    throw fail("unexpected expression; expected shardRange() call or || operator");
  }
  const [, name = "", list = ""] = match;
  if (name !== "shardRange") {
    throw fail(`unsupported function ${goQuote(name)}; only shardRange() and || are allowed`);
  }
  const values = list.trim() === "" ? [] : list.split(",").map((value) => value.trim());
  const [field = "", start = "", end = ""] = values;
  if (values.length !== 3) {
    throw fail(`shardRange() requires exactly 3 arguments, got ${values.length}`);
  }
  if (field !== "object.metadata.uid" && field !== "object.metadata.namespace") {
    const known = "supported: object.metadata.uid, object.metadata.namespace";
    throw fail(`unsupported field path ${goQuote(field)}; ${known}`);
  }
  const range: ShardRange = {
    field,
    start: parseBound(start, "hexStart"),
    end: parseBound(end, "hexEnd"),
  };
  if (range.start < range.end) return range;
  const [from = "", to = ""] = [start, end].map((bound) => bound.replaceAll("'", ""));
  throw fail(`shard range start ${from} must be less than end ${to}`);
}

function parseBound(literal: string, name: string): bigint {
  const bound = textLiteral.exec(literal)?.[1];
  if (bound === undefined) throw fail(`${name} must be a string literal (e.g. '0xff')`);
  const quoted = goQuote(bound);
  if (!bound.startsWith("0x")) throw fail(`${name} must have '0x' prefix, got ${quoted}`);
  const digits = bound.slice(2);
  if (digits === "") throw fail(`${name}: hex value is required after '0x'`);
  if (digits.length > hexDigits + 1) {
    const size = `${digits.length} chars, max ${hexDigits + 1}`;
    throw fail(`${name}: hex value too long (${size}): ${goQuote(digits)}`);
  }
  const wrong = /[^0-9a-f]/u.exec(digits)?.[0];
  if (wrong !== undefined) {
    throw fail(`${name}: invalid hex character ${goQuote(wrong)} in ${quoted}`);
  }
  if (digits.length === hexDigits || bound === hashSpaceEnd) return BigInt(bound);
  if (digits.length > hexDigits) {
    const rule = `17-digit hex value must be '${hashSpaceEnd}' (2^64)`;
    throw fail(`${name}: ${rule}, got ${quoted}`);
  }
  const padded = goQuote(`0x${digits.padStart(hexDigits, "0")}`);
  throw fail(
    `${name} must be a 0x-prefixed 16-digit hex value, got ${quoted} (did you mean ${padded}?)`,
  );
}

function fail(reason: string): SelectorError {
  return new SelectorError(`invalid shard selector: ${reason}`);
}
