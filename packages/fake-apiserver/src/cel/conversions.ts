import { goNumber } from "../base/go-text.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import { type CelFunction, durationIn, timestampIn } from "./operators.ts";
import { CidrValue, IpValue } from "./kubernetes-values.ts";
import { parseGoDuration, parseTimestamp, timestampText } from "./times.ts";
import { Duration, int64, isFielded, keysOf, Timestamp, uint64, UnsignedInt } from "./values.ts";

const utf8 = new TextEncoder();
const billion = 1_000_000_000n;

/** Functions that convert a value to another type (cel-go common/types). */
export const conversionFunctions: Readonly<Record<string, CelFunction>> = {
  bool: (value) => {
    if (typeof value === "boolean") return value;
    if (typeof value !== "string") throw noSuchOverload();
    if (["1", "t", "T", "TRUE", "true", "True"].includes(value)) return true;
    if (["0", "f", "F", "FALSE", "false", "False"].includes(value)) return false;
    throw new CelFailure(`type conversion error from '${value}' to 'bool'`);
  },
  bytes: (value) => {
    if (value instanceof Uint8Array) return value;
    if (typeof value === "string") return utf8.encode(value);
    throw noSuchOverload();
  },
  double: (value) => {
    if (typeof value === "number") return value;
    if (typeof value === "bigint") return Number(value);
    if (value instanceof UnsignedInt) return Number(value.valueOf());
    if (typeof value === "string") return parseDouble(value);
    throw noSuchOverload();
  },
  int: toInt,
  uint: (value) => {
    if (value instanceof UnsignedInt) return value;
    if (typeof value === "bigint") return uint64(value);
    if (typeof value === "number") return uint64(integral(value, "unsigned integer overflow"));
    if (typeof value === "string" && /^\d+$/.test(value)) return uint64(BigInt(value));
    if (typeof value !== "string") throw noSuchOverload();
    throw new CelFailure(`strconv.ParseUint: parsing ${JSON.stringify(value)}: invalid syntax`);
  },
  string: textOfValue,
  timestamp: (value) => {
    if (value instanceof Timestamp) return value;
    if (typeof value === "bigint") return timestampIn(value * billion);
    if (typeof value === "string") return parseTimestamp(value);
    throw noSuchOverload();
  },
  duration: (value) => {
    if (value instanceof Duration) return value;
    if (typeof value === "bigint") return durationIn(value);
    if (typeof value === "string") return parseGoDuration(value);
    throw noSuchOverload();
  },
  size,
  ".size": size,
};

function size(value: unknown): bigint {
  if (typeof value === "string") return BigInt(Array.from(value).length);
  if (Array.isArray(value) || value instanceof Uint8Array) return BigInt(value.length);
  if (isFielded(value)) return BigInt(keysOf(value).length);
  throw noSuchOverload();
}

function toInt(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (value instanceof UnsignedInt) return int64(value.valueOf());
  if (typeof value === "number") return int64(integral(value, "integer overflow"));
  if (value instanceof Timestamp) return floorDivide(value.nanos, billion);
  if (value instanceof Duration) return value.nanos;
  if (typeof value !== "string") throw noSuchOverload();
  if (/^[+-]?\d+$/.test(value)) {
    const parsed = BigInt(value.replace(/^\+/, ""));
    if (parsed < 2n ** 63n && parsed >= -(2n ** 63n)) return parsed;
  }
  throw new CelFailure(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
}

function integral(value: number, problem: string): bigint {
  if (!Number.isFinite(value)) throw new CelFailure(problem);
  return BigInt(Math.trunc(value));
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function parseDouble(text: string): number {
  const words = /^([+-]?)(?:inf(?:inity)?|nan)$/i.exec(text);
  if (words !== null) {
    if (/nan/i.test(text)) return Number.NaN;
    return words[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    throw new CelFailure(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: value out of range`);
  }
  throw new CelFailure(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Formats a double like Go's `strconv.FormatFloat` with the format `g`. */
export function doubleText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && magnitude < 1e-4) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return goNumber(value);
}

/** `string(value)`. @throws {CelFailure} for a type that has no such conversion */
export function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof UnsignedInt) return String(value.valueOf());
  if (typeof value === "number") return doubleText(value);
  if (value instanceof Uint8Array) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
    } catch {
      throw new CelFailure("invalid UTF-8 in bytes, cannot convert to string");
    }
  }
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return `${Number(value.nanos) / 1e9}s`;
  if (value instanceof IpValue || value instanceof CidrValue) return value.toString();
  throw noSuchOverload();
}
