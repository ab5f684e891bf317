import { Optional } from "@marcbachmann/cel-js";
import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";
import { spend, stepsPerItem } from "./budget.ts";
import { CelFailure, noSuchOverload, Undecided } from "./failures.ts";

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
  /** The length of the text that it holds. */
  readonly textLength: number = 0;

  /** Whether a value of the same type equals this one. */
  abstract isSame(other: OpaqueValue): boolean;
}

/** An object with declared fields. Its values are converted when they are first read. */
export class ObjectValue {
  readonly names: readonly string[];
  /** Members that expressions do not see, but that count when objects are compared. */
  readonly unknown: JsonObject;
  readonly #read: (name: string) => unknown;
  /** Values and errors of the fields that were read. */
  readonly #known = new Map<string, unknown>();
  #unknownSize: number | undefined;

  /** @param read converts the value of a field; undefined if it is absent */
  constructor(names: readonly string[], read: (name: string) => unknown, unknown: JsonObject = {}) {
    this.names = names;
    this.#read = read;
    this.unknown = unknown;
  }

  /** @throws {CelFailure} if the value cannot be converted */
  get(name: string): unknown {
    if (!this.#known.has(name)) this.#known.set(name, this.#outcome(name));
    const known = this.#known.get(name);
    if (known instanceof CelFailure) throw known;
    return known;
  }

  /** The number of values in {@link unknown}, at all depths. */
  get unknownSize(): number {
    this.#unknownSize ??= countValues(this.unknown) - 1;
    return this.#unknownSize;
  }

  #outcome(name: string): unknown {
    try {
      return this.#read(name);
    } catch (error) {
      if (error instanceof CelFailure && !(error instanceof Undecided)) return error;
      throw error;
    }
  }
}

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + countValues(one), 1);
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
  if (typeof left === "string" && typeof right === "string") return areTextsEqual(left, right);
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

// A character takes a thousandth of the time of an item.
const stepsPerCharacter = stepsPerItem / 1000;

function areTextsEqual(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  spend(left.length * stepsPerCharacter);
  return left === right;
}

function areOptionalsEqual(left: Optional, right: Optional): boolean {
  if (!left.hasValue() || !right.hasValue()) return left.hasValue() === right.hasValue();
  return isEqual(left.value(), right.value());
}

/** Returns the value of an optional in a list, or none. @throws {CelFailure} for other values */
export function presentOf(value: unknown): readonly unknown[] {
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value.hasValue() ? [value.value()] : [];
}

/** A value with named members. */
export type Fielded = ObjectValue | Map<unknown, unknown>;

/** Whether a value has named members. */
export function isFielded(value: unknown): value is Fielded {
  return value instanceof ObjectValue || value instanceof Map;
}

const knownKeys = new WeakMap<Fielded, readonly unknown[]>();

/** Returns the keys of the members that a value has. They are listed once for each value. */
export function keysOf(value: Fielded): readonly unknown[] {
  const known = knownKeys.get(value);
  if (known !== undefined) return known;
  const keys = value instanceof Map ? [...value.keys()] : presentNames(value);
  knownKeys.set(value, keys);
  return keys;
}

function presentNames(value: ObjectValue): readonly string[] {
  // A field that cannot be converted ends this each time.
  spend(value.names.length * stepsPerItem);
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
  if (!(value instanceof ObjectValue)) return {};
  spend(value.unknownSize * stepsPerItem);
  return value.unknown;
}

function areFieldsEqual(left: Fielded, right: Fielded): boolean {
  const keys = keysOf(left);
  if (keys.length !== keysOf(right).length) return false;
  const [unknown, others] = [unknownOf(left), unknownOf(right)];
  if (!isJsonEqual(unknown, others)) return false;
  spend(keys.length * stepsPerItem);
  return keys.every((key) => {
    const other = memberOf(right, key);
    return other !== undefined && isEqual(memberOf(left, key), other);
  });
}

function areListsEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  spend(left.length * stepsPerItem);
  const traits = traitsOf(left) ?? traitsOf(right);
  if (traits === undefined || traits.kind === "atomic") {
    return left.every((item, index) => isEqual(item, right[index]));
  }
  const others = new ItemGroups(traits, right);
  return left.every((item) => {
    const at = others.find(item);
    return at !== undefined && isEqual(item, right[at]);
  });
}

/** Finds items of a set by their values, and those of a map by their keys. */
class ItemGroups {
  readonly #traits: ListTraits;
  readonly #items: unknown[] = [];
  /** Places of the items that may be the same, by what they have in common. */
  readonly #groups = new Map<string, number[]>();

  constructor(traits: ListTraits, items: readonly unknown[]) {
    this.#traits = traits;
    for (const item of items) this.add(item);
  }

  add(item: unknown): void {
    const name = this.#groupOf(item);
    const group = this.#groups.get(name) ?? [];
    this.#groups.set(name, group);
    group.push(this.#items.push(item) - 1);
  }

  /** Returns the place of the item that is the same as another; undefined if there is none. */
  find(item: unknown): number | undefined {
    const group = this.#groups.get(this.#groupOf(item)) ?? [];
    spend(group.length * stepsPerItem);
    const { keys, kind } = this.#traits;
    return group.find((at) => {
      const other = this.#items[at];
      return kind === "map" ? isSameItem(item, other, keys) : isEqual(item, other);
    });
  }

  #groupOf(item: unknown): string {
    const { keys, kind } = this.#traits;
    if (kind !== "map" || !isFielded(item)) return groupOf(item);
    return JSON.stringify(keys.map((key) => groupOf(memberOf(item, key))));
  }
}

/** The name of a group of values; equal ones are in the same group. */
function groupOf(value: unknown): string {
  if (isNumeric(value)) return `number ${String(mapKey(value))}`;
  if (Array.isArray(value)) return `list ${value.length}`;
  if (isFielded(value)) return "fields";
  const name = typeName(value);
  if (typeof value !== "string") return typeof value === "boolean" ? String(value) : name;
  spend(value.length * stepsPerCharacter);
  return `${name} ${value}`;
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
  const known = new ItemGroups(traits, left);
  if (traits.kind === "set") {
    const added = right.filter((item) => known.find(item) === undefined);
    return withTraits([...left, ...added], traits);
  }
  const joined = [...left];
  for (const item of right) {
    const at = known.find(item) ?? joined.length;
    if (at === joined.length) known.add(item);
    joined[at] = item;
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

/** Compares texts by their code points. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  spend(length * stepsPerCharacter);
  let at = 0;
  while (at < length && left[at] === right[at]) at++;
  // Both are at the second half of a pair whose first half is the same.
  if (/[\uDC00-\uDFFF]/.test(left.charAt(at)) && /[\uD800-\uDBFF]/.test(left.charAt(at - 1))) at--;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  for (const [index, byte] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (byte !== other) return byte - other;
  }
  return left.length - right.length;
}
