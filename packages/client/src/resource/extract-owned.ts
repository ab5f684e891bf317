import type { Cached } from "@listwatch/core-fifo";
import {
  isJsonEqual,
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
export type OwnedConfiguration<T> = ApplyConfiguration<T> & { readonly metadata: Identity };

/**
 * Returns the fields that a field manager has applied to an object, with their current values, as
 * the basis of its next apply. The manager gives up fields that the next apply omits. Read from
 * `metadata.managedFields`, like client-go's `ExtractInto`, with type, name and namespace of the
 * object. `undefined` if the manager has applied nothing.
 *
 * It uses no schema: a member that is owned as a whole is returned with its whole content.
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
  if (Array.isArray(value)) return value.flatMap((item, at) => ownedItem(item, at, fields));
  const object = recordOf(value);
  const members = names.flatMap((name) => {
    const member = name.startsWith("f:") ? name.slice(2) : undefined;
    if (member === undefined || !Object.hasOwn(object, member)) return [];
    return [[member, ownedPart(object[member], recordOf(fields[name]))] as const];
  });
  return Object.fromEntries(members);
}

/** Returns the owned part of a list element: none or one. */
function ownedItem(item: unknown, at: number, fields: JsonObject): unknown[] {
  for (const [name, parts] of Object.entries(fields)) {
    const kind = name.slice(0, 2);
    const selector = parse(name.slice(2));
    if (kind === "v:" && isJsonEqual(item, selector)) return [item];
    if (kind === "i:" && at === selector) return [ownedPart(item, recordOf(parts))];
    if (kind !== "k:" || !isRecord(item) || !isRecord(selector)) continue;
    const isMeant = Object.entries(selector).every(([key, value]) => isJsonEqual(item[key], value));
    if (!isMeant) continue;
    // The server finds the element by its keys, whether they are owned or not.
    return [{ ...selector, ...recordOf(ownedPart(item, recordOf(parts))) }];
  }
  return [];
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
