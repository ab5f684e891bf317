import type { Cached } from "@listwatch/core-fifo";
import {
  isRecord,
  metadataOf,
  recordOf,
  type JsonObject,
  aString,
  checkOptions,
} from "@listwatch/core-fifo/base";
import type { ApplyConfiguration, Identity } from "./object-forms.ts";

/** Options of {@link extractOwned}. */
export interface ExtractOptions {
  /**
   * Subresource that the fields were applied to, such as `status`.
   *
   * @default "", the resource itself
   */
  readonly subresource?: string | undefined;
}

/** Result of {@link extractOwned}: a configuration that can be applied. */
export type OwnedConfiguration<T> = ApplyConfiguration<T> & {
  /** Name and namespace of the object. Other metadata is only present if the manager owns it. */
  readonly metadata: Identity;
};

/**
 * Returns the fields that a field manager has applied to an object, with their current values, as
 * the basis of its next apply. The manager gives up fields that the next apply omits. Read from
 * `metadata.managedFields`, like client-go's `ExtractInto`, with type, name and namespace of the
 * object. `undefined` if the manager has applied nothing.
 *
 * It uses no schema: a member that is owned as a whole is returned with its whole content.
 *
 * @param manager name of the field manager, as in its writes
 */
export function extractOwned<T extends object>(
  object: T | Cached<T>,
  manager: string,
  options?: ExtractOptions,
): OwnedConfiguration<T> | undefined;
export function extractOwned(
  object: object,
  manager: string,
  options: ExtractOptions = {},
): unknown {
  checkOptions(options, { subresource: aString });
  const { subresource = "" } = options;
  const { managedFields } = recordOf(metadataOf(object));
  const entries = Array.isArray(managedFields) ? managedFields.filter(isRecord) : [];
  const entry = entries.find(
    (found) =>
      found["manager"] === manager &&
      found["operation"] === "Apply" &&
      (found["subresource"] ?? "") === subresource,
  );
  if (entry === undefined) return undefined;
  const { apiVersion, kind } = recordOf(object);
  const { name, namespace } = recordOf(metadataOf(object));
  const owned = recordOf(ownedPart(object, recordOf(entry["fieldsV1"])));
  const identity = definedOf({ name, namespace });
  const metadata = { ...recordOf(owned["metadata"]), ...identity };
  return { ...definedOf({ apiVersion, kind }), ...owned, metadata };
}

/** Returns the part of a value that a set of fields contains: FieldsV1 of meta/v1. */
function ownedPart(value: unknown, fields: JsonObject): unknown {
  const names = Object.keys(fields).filter((name) => name !== ".");
  if (names.length === 0) return value;
  if (Array.isArray(value)) return ownedItems(value, fields);
  const object = recordOf(value);
  const members = names.flatMap((name) => {
    const member = name.startsWith("f:") ? name.slice(2) : undefined;
    if (member === undefined || !Object.hasOwn(object, member)) return [];
    return [[member, ownedPart(object[member], recordOf(fields[name]))] as const];
  });
  return Object.fromEntries(members);
}

/** Members of a set of fields that select list elements. */
interface ItemFields {
  /** Selected elements, by name. */
  readonly selectors: ReadonlyMap<string, ItemSelector>;
  /** Each list of keys that elements are found by; most sets have one. */
  readonly keyLists: ReadonlyMap<string, readonly string[]>;
  /** Whether elements are found by their whole value. */
  readonly hasValues: boolean;
}

interface ItemSelector {
  readonly rank: number;
  /** Keys of the element, and their values. */
  readonly identity: JsonObject | undefined;
  readonly isWhole: boolean;
  readonly parts: JsonObject;
}

/** Returns the owned parts of a list's elements. Only one look-up per element and list of keys. */
function ownedItems(items: readonly unknown[], fields: JsonObject): unknown[] {
  const { hasValues, keyLists, selectors } = readItemFields(fields);
  return items.flatMap((item, at) => {
    const names = [`i:${at}`];
    if (hasValues) names.push(`v:${canonical(item)}`);
    if (isRecord(item)) for (const keys of keyLists.values()) names.push(nameOf(item, keys));
    const [found] = names
      .flatMap((name) => selectors.get(name) ?? [])
      .toSorted((a, b) => a.rank - b.rank);
    if (found === undefined) return [];
    if (found.isWhole) return [item];
    const owned = ownedPart(item, found.parts);
    // The server finds the element by its keys, whether they are owned or not.
    return [found.identity === undefined ? owned : { ...found.identity, ...recordOf(owned) }];
  });
}

function readItemFields(fields: JsonObject): ItemFields {
  const selectors = new Map<string, ItemSelector>();
  const keyLists = new Map<string, readonly string[]>();
  for (const [rank, [name, parts]] of Object.entries(fields).entries()) {
    const kind = name.slice(0, 2);
    const value = parse(name.slice(2));
    const identity = kind === "k:" && isRecord(value) ? value : undefined;
    if (value === undefined || (kind !== "v:" && kind !== "i:" && identity === undefined)) continue;
    const keys = Object.keys(identity ?? {});
    if (identity !== undefined) keyLists.set(canonical(keys), keys);
    const selected = identity === undefined ? kind + canonical(value) : nameOf(identity, keys);
    if (selectors.has(selected)) continue;
    selectors.set(selected, { rank, identity, isWhole: kind === "v:", parts: recordOf(parts) });
  }
  const hasValues = [...selectors.values()].some(({ isWhole }) => isWhole);
  return { selectors, keyLists, hasValues };
}

/** Names an element by the values of its keys. A missing value differs from null. */
function nameOf(item: JsonObject, keys: readonly string[]): string {
  return `k:${canonical(keys)}${keys.map((key) => canonical(item[key])).join()}`;
}

/** Writes JSON that is equal for equal values. */
function canonical(value: unknown): string {
  const sorted = (_: string, member: unknown): unknown =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  return JSON.stringify(value, sorted) ?? "";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function definedOf(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
