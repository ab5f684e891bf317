import { isJsonEqual, isRecord, lazyMembers, type JsonObject } from "@listwatch/core-fifo/base";

/**
 * Whether two objects have the same content. Members that are parsed on first access are compared
 * in their stored form, so that the comparison does not enlarge a cache.
 */
export function isSameContent(old: unknown, object: unknown): boolean {
  try {
    return isSame(old, object);
  } catch {
    // A stored member is not JSON. The list that repairs it has to be delivered.
    return false;
  }
}

function isSame(old: unknown, object: unknown): boolean {
  if (!isRecord(old) || !isRecord(object) || !(isLazy(old) || isLazy(old["metadata"]))) {
    return isJsonEqual(old, object);
  }
  const names = Object.keys(old);
  const getters = names.map((name) => getterOf(old, name));
  const isComparable =
    Object.keys(object).length === names.length &&
    isLazy(old) === isLazy(object) &&
    // Equal accessors read equal places of the stored members.
    names.every((name, index) => getterOf(object, name) === getters[index]);
  if (!isComparable) return isJsonEqual(old, object);
  return (
    areStoredSame(old, object, (index) => names.filter((_, at) => getters[at])[index] ?? "") &&
    names.every(
      (name, index) =>
        getters[index] !== undefined ||
        (name === "metadata" ? isSame : isJsonEqual)(old[name], object[name]),
    )
  );
}

function isLazy(value: unknown): boolean {
  return isRecord(value) && Object.hasOwn(value, lazyMembers);
}

function getterOf(object: JsonObject, name: string): unknown {
  return Reflect.get(Object.getOwnPropertyDescriptor(object, name) ?? {}, "get");
}

/** Compares stored members: each is a string or bytes until it is read, and its value then. */
function areStoredSame(
  old: JsonObject,
  object: JsonObject,
  nameAt: (index: number) => string,
): boolean {
  const [reads, ...stored] = storedOf(old);
  const others = storedOf(object).slice(1);
  const metadata = old["metadata"] ?? old;
  return stored.every((value, index) => {
    const other = others[index];
    if (value instanceof Uint8Array && other instanceof Uint8Array) {
      return value.length === other.length && value.every((byte, at) => byte === other[at]);
    }
    if (isUnread(value) === isUnread(other)) return isJsonEqual(value, other);
    const read = (kept: unknown): unknown =>
      isUnread(kept) ? reads.parse(kept, nameAt(index), metadata) : kept;
    return isJsonEqual(read(value), read(other));
  });
}

/** The decoder's part of an object with lazy members. */
interface Reads {
  parse(kept: unknown, name: string, metadata: unknown): unknown;
}

function storedOf(object: JsonObject): readonly [Reads, ...unknown[]] {
  // The decoders of the client define this array.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (Reflect.get(object, lazyMembers) ?? [undefined]) as [Reads, ...unknown[]];
}

function isUnread(value: unknown): boolean {
  return typeof value === "string" || value instanceof Uint8Array;
}
