import { Optional } from "@marcbachmann/cel-js";
import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";
import { CelFailure, noSuchOverload } from "./failures.ts";

export { Optional, UnsignedInt };

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;
  /** The offset of the zone in which it was written. */
  readonly offsetMinutes: number;

  constructor(nanos: bigint, offsetMinutes = 0) {
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }
}

/** A length of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** The type of a value, as `type(x)` returns it. */
export class TypeValue {
  readonly type: string;

  constructor(type: string) {
    this.type = type;
  }
}

/** A value of one of Kubernetes' types, such as a quantity. */
export abstract class OpaqueValue {
  abstract readonly type: string;

  /** Whether a value of the same type equals this one. */
  abstract isSame(other: OpaqueValue): boolean;
}

/** An object with declared fields. Its values are converted when they are first read. */
export class ObjectValue {
  readonly names: readonly string[];
  /** Members that expressions do not see, but that count when objects are compared. */
  readonly unknown: JsonObject;
  readonly #read: (name: string) => unknown;
  readonly #known = new Map<string, unknown>();

  /** @param read converts the value of a field; undefined if it is absent */
  constructor(names: readonly string[], read: (name: string) => unknown, unknown: JsonObject = {}) {
    this.names = names;
    this.#read = read;
    this.unknown = unknown;
  }

  get(name: string): unknown {
    if (this.#known.has(name)) return this.#known.get(name);
    const value = this.#read(name);
    this.#known.set(name, value);
    return value;
  }
}

/** The type of a list in a schema, which decides how it is compared. */
export interface ListTraits {
  readonly kind: "set" | "map" | "atomic";
  /** Keys of the items of a map. */
  readonly keys: readonly string[];
  /** The sum of no items. */
  readonly zero: unknown;
}

const listTraits = new WeakMap<readonly unknown[], ListTraits>();

/** Remembers the type of a list. */
export function withTraits(list: readonly unknown[], traits: ListTraits): readonly unknown[] {
  listTraits.set(list, traits);
  return list;
}

/** Returns the type of a list; undefined for a list that no schema describes. */
export function traitsOf(list: readonly unknown[]): ListTraits | undefined {
  return listTraits.get(list);
}

const maxInt = 2n ** 63n - 1n;
const minInt = -(2n ** 63n);

/** Checks the range of a signed integer. @throws {CelFailure} outside of 64 bits */
export function int64(value: bigint): bigint {
  if (value > maxInt || value < minInt) throw new CelFailure("integer overflow");
  return value;
}

/** Checks the range of an unsigned integer. @throws {CelFailure} outside of 64 bits */
export function uint64(value: bigint): UnsignedInt {
  if (value < 0n || value >= 2n ** 64n) throw new CelFailure("unsigned integer overflow");
  return new UnsignedInt(value);
}

/** Whether a value is a number of any type. */
export function isNumeric(value: unknown): value is bigint | number | UnsignedInt {
  return typeof value === "bigint" || typeof value === "number" || value instanceof UnsignedInt;
}

/** Returns a number as JavaScript compares it across types. */
function comparable(value: bigint | number | UnsignedInt): bigint | number {
  return value instanceof UnsignedInt ? value.valueOf() : value;
}

/** Returns the name of the type of a value. */
export function typeName(value: unknown): string {
  if (value === null) return "null_type";
  if (Array.isArray(value)) return "list";
  return primitiveNames.get(typeof value) ?? objectTypeName(value);
}

const primitiveNames: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["bigint", "int"],
  ["number", "double"],
  ["boolean", "bool"],
]);

function objectTypeName(value: unknown): string {
  if (value instanceof Map) return "map";
  if (value instanceof UnsignedInt) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Duration) return "google.protobuf.Duration";
  if (value instanceof TypeValue) return "type";
  if (value instanceof Optional) return "optional_type";
  if (value instanceof OpaqueValue) return value.type;
  return "object";
}

/** Whether two values are equal. Values of different types are not, except numbers. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isNumeric(left) && isNumeric(right)) {
    // eslint-disable-next-line eqeqeq -- across the types of numbers
    return comparable(left) == comparable(right);
  }
  if (Array.isArray(left) && Array.isArray(right)) return areListsEqual(left, right);
  if (isFielded(left) && isFielded(right)) return areFieldsEqual(left, right);
  if (left instanceof Timestamp && right instanceof Timestamp) return left.nanos === right.nanos;
  if (left instanceof Duration && right instanceof Duration) return left.nanos === right.nanos;
  if (left instanceof TypeValue && right instanceof TypeValue) return left.type === right.type;
  if (left instanceof Optional && right instanceof Optional) return areOptionalsEqual(left, right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return left.length === right.length && left.every((byte, index) => byte === right[index]);
  }
  if (left instanceof OpaqueValue && right instanceof OpaqueValue) {
    return left.type === right.type && left.isSame(right);
  }
  return false;
}

function areOptionalsEqual(left: Optional, right: Optional): boolean {
  if (!left.hasValue() || !right.hasValue()) return left.hasValue() === right.hasValue();
  return isEqual(left.value(), right.value());
}

/** A value with named members. */
export type Fielded = ObjectValue | Map<unknown, unknown>;

/** Whether a value has named members. */
export function isFielded(value: unknown): value is Fielded {
  return value instanceof ObjectValue || value instanceof Map;
}

/** Returns the keys of the members that a value has. */
export function keysOf(value: Fielded): readonly unknown[] {
  if (value instanceof Map) return [...value.keys()];
  return value.names.filter((name) => value.get(name) !== undefined);
}

/** Returns a member; undefined if it is absent. */
export function memberOf(value: Fielded, key: unknown): unknown {
  if (value instanceof ObjectValue) return typeof key === "string" ? value.get(key) : undefined;
  return value.get(mapKey(key));
}

/** Returns the form of a key in a map: numbers of different types are the same key. */
export function mapKey(key: unknown): unknown {
  if (key instanceof UnsignedInt) return key.valueOf();
  return typeof key === "number" && Number.isInteger(key) ? BigInt(key) : key;
}

function unknownOf(value: Fielded): JsonObject {
  return value instanceof ObjectValue ? value.unknown : {};
}

function areFieldsEqual(left: Fielded, right: Fielded): boolean {
  const keys = keysOf(left);
  if (keys.length !== keysOf(right).length) return false;
  const [unknown, others] = [unknownOf(left), unknownOf(right)];
  if (!isJsonEqual(unknown, others)) return false;
  return keys.every((key) => {
    const other = memberOf(right, key);
    return other !== undefined && isEqual(memberOf(left, key), other);
  });
}

function areListsEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  const traits = traitsOf(left) ?? traitsOf(right);
  if (traits?.kind === "set") return left.every((item) => includes(right, item));
  if (traits?.kind === "map") {
    return left.every((item) => {
      const match = right.find((other) => isSameItem(item, other, traits.keys));
      return match !== undefined && isEqual(item, match);
    });
  }
  return left.every((item, index) => isEqual(item, right[index]));
}

/** Whether two items of a list of the type map have the same keys. */
function isSameItem(left: unknown, right: unknown, keys: readonly string[]): boolean {
  if (!isFielded(left) || !isFielded(right)) return false;
  return keys.every((key) => isEqual(memberOf(left, key), memberOf(right, key)));
}

/** Whether a list has an item. */
export function includes(list: readonly unknown[], item: unknown): boolean {
  return list.some((other) => isEqual(other, item));
}

/** Joins two lists: sets as a union, maps by their keys. */
export function joinLists(left: readonly unknown[], right: readonly unknown[]): readonly unknown[] {
  const traits = traitsOf(left);
  if (traits === undefined || traits.kind === "atomic") return [...left, ...right];
  if (traits.kind === "set") {
    const added = right.filter((item) => !includes(left, item));
    return withTraits([...left, ...added], traits);
  }
  const joined = [...left];
  for (const item of right) {
    const at = joined.findIndex((other) => isSameItem(item, other, traits.keys));
    if (at === -1) joined.push(item);
    else joined[at] = item;
  }
  return withTraits(joined, traits);
}

/** Compares two values of one ordered type. @throws {CelFailure} for other values */
export function compareValues(left: unknown, right: unknown): number {
  if (isNumeric(left) && isNumeric(right)) return order(comparable(left), comparable(right));
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") {
    return Number(left) - Number(right);
  }
  if (left instanceof Timestamp && right instanceof Timestamp)
    return order(left.nanos, right.nanos);
  if (left instanceof Duration && right instanceof Duration) return order(left.nanos, right.nanos);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  throw noSuchOverload();
}

function order(left: bigint | number, right: bigint | number): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function compareText(left: string, right: string): number {
  const others = Array.from(right);
  let index = 0;
  for (const character of left) {
    const other = others[index++];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return index - others.length;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  for (const [index, byte] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (byte !== other) return byte - other;
  }
  return left.length - right.length;
}
