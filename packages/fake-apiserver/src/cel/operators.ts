import { CelFailure, noSuchOverload } from "./failures.ts";
import {
  compareValues,
  Duration,
  includes,
  int64,
  isEqual,
  isFielded,
  isNumeric,
  joinLists,
  keysOf,
  mapKey,
  memberOf,
  ObjectValue,
  Optional,
  Timestamp,
  typeName,
  TypeValue,
  uint64,
  UnsignedInt,
} from "./values.ts";

/** A function of the language: its arguments, the receiver first, and its result. */
export type CelFunction = (...args: readonly unknown[]) => unknown;

type Arithmetic = "add" | "divide" | "modulo" | "multiply" | "subtract";

/** Operators, by the names under which rewritten expressions call them. */
export const operatorFunctions: Readonly<Record<string, CelFunction>> = {
  equal: isEqual,
  notEqual: (left, right) => !isEqual(left, right),
  less: (left, right) => compareValues(left, right) < 0,
  lessEqual: (left, right) => compareValues(left, right) <= 0,
  greater: (left, right) => compareValues(left, right) > 0,
  greaterEqual: (left, right) => compareValues(left, right) >= 0,
  in: (item, all) => {
    if (Array.isArray(all)) return includes(all, item);
    if (isFielded(all)) return memberOf(all, item) !== undefined;
    throw noSuchOverload();
  },
  add: (left, right) => {
    if (typeof left === "string" && typeof right === "string") return left + right;
    if (Array.isArray(left) && Array.isArray(right)) return joinLists(left, right);
    if (left instanceof Uint8Array && right instanceof Uint8Array) {
      return new Uint8Array([...left, ...right]);
    }
    if (left instanceof Timestamp && right instanceof Duration) {
      return timestampIn(left.nanos + right.nanos);
    }
    if (left instanceof Duration && right instanceof Timestamp) {
      return timestampIn(left.nanos + right.nanos);
    }
    if (left instanceof Duration && right instanceof Duration) {
      return durationIn(left.nanos + right.nanos);
    }
    return calculate("add", left, right);
  },
  subtract: (left, right) => {
    if (left instanceof Timestamp && right instanceof Timestamp) {
      return durationIn(left.nanos - right.nanos);
    }
    if (left instanceof Timestamp && right instanceof Duration) {
      return timestampIn(left.nanos - right.nanos);
    }
    if (left instanceof Duration && right instanceof Duration) {
      return durationIn(left.nanos - right.nanos);
    }
    return calculate("subtract", left, right);
  },
  multiply: (left, right) => calculate("multiply", left, right),
  divide: (left, right) => calculate("divide", left, right),
  modulo: (left, right) => calculate("modulo", left, right),
  negate: (value) => {
    if (typeof value === "bigint") return int64(-value);
    if (typeof value === "number") return -value;
    if (value instanceof Duration) return durationIn(-value.nanos);
    throw noSuchOverload();
  },
  not: (value) => {
    if (typeof value !== "boolean") throw noSuchOverload();
    return !value;
  },
  map: (...entries) => mapOf(entries),
  get: (value, key) => {
    const found = lookUp(value, key);
    if (found === undefined) throw missing(value, key);
    return found;
  },
  optionalGet: (value, key) => {
    const found = lookUp(value instanceof Optional ? value.orValue(undefined) : value, key);
    return found instanceof Optional ? found : Optional.of(found);
  },
  has: (value, key) => {
    const holder: unknown = value instanceof Optional ? value.orValue(undefined) : value;
    if (holder === undefined) return false;
    if (!isFielded(holder)) throw noSuchOverload();
    const member = memberOf(holder, key);
    return member !== undefined && !(member === null && holder instanceof ObjectValue);
  },
  type: (value) => new TypeValue(typeName(value)),
  dyn: (value) => value,
};

function lookUp(value: unknown, key: unknown): unknown {
  if (value === undefined) return undefined;
  if (value instanceof Optional) {
    const inner = lookUp(value.orValue(undefined), key);
    return inner instanceof Optional ? inner : Optional.of(inner);
  }
  if (isFielded(value)) return memberOf(value, key);
  if (!Array.isArray(value)) throw noSuchOverload();
  const index = mapKey(key);
  if (typeof index !== "bigint") throw noSuchOverload();
  const item: unknown = index < 0n ? undefined : value[Number(index)];
  return item;
}

function missing(value: unknown, key: unknown): CelFailure {
  const shown = key instanceof UnsignedInt ? key.valueOf() : key;
  return new CelFailure(
    Array.isArray(value)
      ? `index out of bounds: ${String(shown)}`
      : `no such key: ${String(shown)}`,
  );
}

function mapOf(entries: readonly unknown[]): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (let index = 0; index < entries.length; index += 2) {
    const key = mapKey(entries[index]);
    if (map.has(key)) throw new CelFailure(`Failed with repeated key`);
    map.set(key, entries[index + 1]);
  }
  return map;
}

// cel-go times.go: years 1 to 9999.
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;
const billion = 1_000_000_000n;

/** Checks the range of a timestamp. @throws {CelFailure} outside of the years 1 to 9999 */
export function timestampIn(nanos: bigint): Timestamp {
  if (nanos < firstSecond * billion || nanos >= (lastSecond + 1n) * billion) {
    throw new CelFailure("timestamp overflow");
  }
  return new Timestamp(nanos);
}

/** Checks the range of a duration. @throws {CelFailure} outside of 64 bits of nanoseconds */
export function durationIn(nanos: bigint): Duration {
  if (nanos > 2n ** 63n - 1n || nanos < -(2n ** 63n)) throw new CelFailure("duration overflow");
  return new Duration(nanos);
}

function calculate(operation: Arithmetic, left: unknown, right: unknown): unknown {
  if (typeof left === "bigint" && typeof right === "bigint") {
    return int64(integers(operation, left, right));
  }
  if (left instanceof UnsignedInt && right instanceof UnsignedInt) {
    return uint64(integers(operation, left.valueOf(), right.valueOf()));
  }
  const calculated = doubles[operation];
  if (typeof left !== "number" || typeof right !== "number" || calculated === undefined) {
    throw noSuchOverload();
  }
  return calculated(left, right);
}

const doubles: Partial<Record<Arithmetic, (left: number, right: number) => number>> = {
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
  multiply: (left, right) => left * right,
  divide: (left, right) => left / right,
};

const wholes: Record<Arithmetic, (left: bigint, right: bigint) => bigint> = {
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
  multiply: (left, right) => left * right,
  divide: (left, right) => left / right,
  modulo: (left, right) => left % right,
};

function integers(operation: Arithmetic, left: bigint, right: bigint): bigint {
  if (right === 0n && operation === "divide") throw new CelFailure("division by zero");
  if (right === 0n && operation === "modulo") throw new CelFailure("modulus by zero");
  return wholes[operation](left, right);
}

/** Whether a value is the zero of its type, which `optional.ofNonZeroValue` leaves out. */
export function isZero(value: unknown): boolean {
  if (value === null || value === false || value === "") return true;
  if (isNumeric(value)) return isEqual(value, 0n);
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (isFielded(value)) return keysOf(value).length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === firstSecond * billion;
  return false;
}
