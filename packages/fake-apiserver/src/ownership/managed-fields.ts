import { isRecord, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import { compareBytes } from "../base/go-text.ts";
import { decodeFieldSet, decodeStoredFieldSet, type FieldSet } from "./field-set.ts";

/** Fields of one manager: an entry of `metadata.managedFields`. */
export interface ManagedEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  /** "" for the object itself. */
  readonly subresource: string;
  /** In the server's format; `undefined` for none. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Owner of an entry. */
export type Owner = Pick<ManagedEntry, "apiVersion" | "manager" | "operation" | "subresource">;

/**
 * Returns the identity of an owner. An applier is the same in every version (apimachinery
 * `BuildManagerIdentifier`, pkg/util/managedfields/internal/managedfields.go).
 */
export function identityOf({ apiVersion, manager, operation, subresource }: Owner): string {
  return JSON.stringify({
    manager,
    operation,
    ...(operation === "Apply" ? {} : { apiVersion }),
    ...(subresource === "" ? {} : { subresource }),
  });
}

/** Entries by owner. */
export class ManagedEntries {
  readonly #entries: Map<string, ManagedEntry>;

  constructor(entries: Iterable<ManagedEntry> = []) {
    this.#entries = new Map();
    for (const entry of entries) this.#entries.set(identityOf(entry), entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(owner: Owner): ManagedEntry | undefined {
    return this.#entries.get(identityOf(owner));
  }

  /** Returns all entries, except those of an owner if one is given. */
  except(owner?: Owner): readonly ManagedEntry[] {
    const own = owner === undefined ? undefined : identityOf(owner);
    return [...this.#entries].filter(([identity]) => identity !== own).map(([, entry]) => entry);
  }

  /** Replaces the entry of an owner; removes it if it owns nothing. */
  with(entry: ManagedEntry): ManagedEntries {
    const changed = new ManagedEntries(this.#entries.values());
    if (entry.fields.isEmpty) changed.#entries.delete(identityOf(entry));
    else changed.#entries.set(identityOf(entry), entry);
    return changed;
  }

  without(owner: Owner): ManagedEntries {
    const changed = new ManagedEntries(this.#entries.values());
    changed.#entries.delete(identityOf(owner));
    return changed;
  }

  /**
   * Encodes entries in the server's order: applies first, then by time, manager, version and
   * subresource.
   */
  toJson(): readonly JsonObject[] {
    return this.except().toSorted(compareEntries).map(jsonOf);
  }

  /** Whether encoding the entries without their known JSON would return this JSON. */
  areWrittenAs(json: readonly unknown[]): boolean {
    const entries = this.except().toSorted(compareEntries);
    return (
      entries.length === json.length &&
      entries.every((entry, index) => isWrittenAs(entry, json[index]) && entry.fields.isOrdered)
    );
  }
}

/** JSON of entries that were decoded from storage or encoded before. */
const knownJson = new WeakMap<ManagedEntry, JsonObject>();

function jsonOf(entry: ManagedEntry): JsonObject {
  let json = knownJson.get(entry);
  if (json === undefined) {
    json = encodeEntry(entry, entry.fields.toJson());
    knownJson.set(entry, json);
  }
  return json;
}

/** Encodes an entry of `managedFields`. */
export function encodeEntry(
  entry: Owner & Pick<ManagedEntry, "time">,
  fieldsV1: JsonObject,
): JsonObject {
  const { subresource, time } = entry;
  return {
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1,
    ...(subresource === "" ? {} : { subresource }),
  };
}

function isWrittenAs(entry: ManagedEntry, json: unknown): boolean {
  if (!isRecord(json) || knownJson.get(entry) !== json || !isRecord(json["fieldsV1"])) return false;
  const written = JSON.stringify(encodeEntry(entry, {}));
  return JSON.stringify({ ...json, fieldsV1: {} }) === written;
}

/** Order of entries in storage; those without a time come first. */
function compareEntries(a: ManagedEntry, b: ManagedEntry): number {
  return (
    compareBytes(a.operation, b.operation) ||
    compareBytes(a.time ?? "", b.time ?? "") ||
    compareBytes(a.manager, b.manager) ||
    compareBytes(a.apiVersion, b.apiVersion) ||
    compareBytes(a.subresource, b.subresource)
  );
}

/** Decodes the entries of a stored object. Unchanged ones are encoded exactly as before. */
export function decodeStoredEntries(json: readonly unknown[]): ManagedEntries {
  const entries: ManagedEntry[] = [];
  for (const item of json) {
    const entry = decodeEntry(item, decodeStoredFieldSet);
    if (entry === undefined) return new ManagedEntries();
    if (isRecord(item)) knownJson.set(entry, item);
    entries.push(entry);
  }
  return new ManagedEntries(entries);
}

/** Decodes `metadata.managedFields`; `undefined` if an entry is invalid. */
export function decodeManagedFields(json: unknown): ManagedEntries | undefined {
  if (json === undefined || json === null) return new ManagedEntries();
  if (!Array.isArray(json)) return undefined;
  const entries: ManagedEntry[] = [];
  for (const item of json) {
    const entry = decodeEntry(item, decodeFieldSet);
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return new ManagedEntries(entries);
}

function decodeEntry(json: unknown, decode: typeof decodeFieldSet): ManagedEntry | undefined {
  if (!isRecord(json)) return undefined;
  const { operation } = json;
  if (operation !== "Apply" && operation !== "Update") return undefined;
  const apiVersion = stringOf(json["apiVersion"]);
  if (apiVersion === "" || json["fieldsType"] !== "FieldsV1") return undefined;
  const fields = decode(json["fieldsV1"] ?? {});
  if (fields === undefined) return undefined;
  return {
    manager: stringOf(json["manager"]),
    operation,
    apiVersion,
    subresource: stringOf(json["subresource"]),
    time: typeof json["time"] === "string" ? json["time"] : undefined,
    fields,
  };
}
