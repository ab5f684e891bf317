import { DeletedFinalStateUnknown, ExplicitKey, type Delta } from "@listwatch/core-fifo";

/** Serializes a value so that equal values have equal strings: see {@link isSame}. */
export function canonical(value: unknown): string {
  return JSON.stringify(normalized(value, undefined));
}

/**
 * Whether two results are equal by the rules of the traces. The order of members is ignored, and an
 * `undefined` member is absent. A `set`, and each list in `pushes`, is compared without order. An
 * empty string in `metadata` is absent.
 */
export function isSame(expected: unknown, got: unknown): boolean {
  return canonical(expected) === canonical(got);
}

function normalized(value: unknown, parent: string | undefined): unknown {
  if (Array.isArray(value)) {
    const elementsAre = parent === "pushes" ? "set" : undefined;
    const elements = value.map((element: unknown) => normalized(element, elementsAre));
    if (parent !== "set") return elements;
    return elements
      .map((element) => ({ element, text: JSON.stringify(element) }))
      .toSorted((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
      .map(({ element }) => element);
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && !(parent === "metadata" && member === ""))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, normalized(member, name)] as const);
  return Object.fromEntries(members);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the string in a field of a step or of options; throws for a malformed trace. */
export function text(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value === "string") return value;
  throw new TypeError(`Couldn't read ${name}: expected a string, got ${JSON.stringify(value)}`);
}

export function count(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  if (typeof value === "number") return value;
  throw new TypeError(`Couldn't read ${name}: expected a number, got ${JSON.stringify(value)}`);
}

export function list(fields: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = fields[name];
  if (Array.isArray(value)) return value;
  throw new TypeError(`Couldn't read ${name}: expected an array, got ${JSON.stringify(value)}`);
}

export function listIfAny(
  fields: Readonly<Record<string, unknown>>,
  name: string,
): readonly unknown[] {
  return fields[name] === undefined ? [] : list(fields, name);
}

/** Decodes an object from the notation of the traces, including tombstones and explicit keys. */
export function decode(notation: unknown): unknown {
  if (!isRecord(notation)) return notation;
  const tombstone = notation["$tombstone"];
  if (isRecord(tombstone)) {
    return new DeletedFinalStateUnknown(text(tombstone, "key"), tombstone["object"] ?? undefined);
  }
  if ("$explicitKey" in notation) return new ExplicitKey(text(notation, "$explicitKey"));
  return notation;
}

/** Encodes an object in the notation of the traces. */
export function encode(value: unknown): unknown {
  if (value instanceof DeletedFinalStateUnknown) {
    return { $tombstone: { key: value.key, object: encode(value.object ?? null) } };
  }
  if (value instanceof ExplicitKey) return { $explicitKey: value.key };
  if (Array.isArray(value)) return { $deltas: value.map(encode) };
  return isRecord(value) && isDelta(value) ? encodeDelta(value) : value;
}

/** Encodes a delta in the notation of the traces, which lacks keys. */
export function encodeDelta(delta: Delta<unknown>): unknown {
  if ("objects" in delta) {
    const { type, objects, resourceVersion } = delta;
    return { type, objects: objects.map(encode), resourceVersion };
  }
  return "object" in delta ? { type: delta.type, object: encode(delta.object) } : delta;
}

function isDelta(value: object): value is Delta<unknown> {
  return "type" in value && "key" in value && "object" in value;
}
