import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { byteLength, isPrintable } from "../base/go-text.ts";
import { maxManagerBytes } from "../validation/managed-fields.ts";
import { createdFields } from "./created-fields.ts";
import {
  decodeManagedFields,
  decodeStoredEntries,
  encodeEntry,
  ManagedEntries,
} from "./managed-fields.ts";
import type { OwnershipRequest } from "./ownership-request.ts";
import { trackUpdate } from "./changes.ts";

/** Updates `metadata.managedFields` for one write. */
export interface FieldWriter {
  /**
   * Returns the entries after the write; `undefined` for none.
   *
   * @param before the stored object; `undefined` for a new one
   * @param sent the client's `managedFields`
   * @param after the object with its defaults, before the server adds fields without owners
   */
  entriesAfter(
    before: ApiObject | undefined,
    sent: unknown,
    after: ApiObject,
  ): readonly JsonObject[] | undefined;
}

/** Creates, updates and patches other than applies. */
export class UpdateWriter implements FieldWriter {
  readonly #request: OwnershipRequest;

  constructor(request: OwnershipRequest) {
    this.#request = request;
  }

  entriesAfter(
    before: ApiObject | undefined,
    sent: unknown,
    after: ApiObject,
  ): readonly JsonObject[] | undefined {
    if (before === undefined) return this.#createdEntries(after);
    const stored = storedEntries(before);
    const entries = this.#sentEntries(sent, stored, entriesOf(before));
    // Objects without entries stay untracked until the first apply.
    if (entries.size === 0) return undefined;
    const tracked = trackUpdate(
      withoutEntries(before),
      withoutEntries(after),
      entries,
      this.#request,
    );
    return tracked === stored ? entriesOf(before) : jsonOf(tracked);
  }

  #createdEntries(after: ApiObject): readonly JsonObject[] | undefined {
    const { now, owner, reset, versionOf } = this.#request;
    const version = versionOf(owner.apiVersion);
    if (version === undefined) return undefined;
    const object = version.convert(withoutEntries(after));
    const fieldsV1 = createdFields(version.zero, object, version.type, reset);
    const ownsNothing = Object.keys(fieldsV1).length === 0;
    return ownsNothing ? undefined : [encodeEntry({ ...owner, time: now }, fieldsV1)];
  }

  #sentEntries(
    sent: unknown,
    stored: ManagedEntries,
    json: readonly JsonObject[] | undefined,
  ): ManagedEntries {
    if (this.#request.owner.subresource !== "" || !Array.isArray(sent)) return stored;
    // A patch that does not contain the entries keeps them.
    if (sent === json && stored.areWrittenAs(json)) return stored;
    if (sent.length === 0 || isJsonEqual(sent, [{}])) return new ManagedEntries();
    return decodeManagedFields(sent) ?? stored;
  }
}

/** Applies, whose entries are known in advance. */
export class ApplyWriter implements FieldWriter {
  readonly #entries: ManagedEntries;

  constructor(entries: ManagedEntries) {
    this.#entries = entries;
  }

  entriesAfter(): readonly JsonObject[] | undefined {
    return jsonOf(this.#entries);
  }
}

// Decoded on first use; stored entries never change.
const readEntries = new WeakMap<readonly unknown[], ManagedEntries>();

/** Returns the entries of a stored object; none if they are invalid. */
export function storedEntries({ metadata }: ApiObject): ManagedEntries {
  const { managedFields } = metadata;
  if (!Array.isArray(managedFields)) return new ManagedEntries();
  let entries = readEntries.get(managedFields);
  if (entries === undefined) {
    entries = decodeStoredEntries(managedFields);
    readEntries.set(managedFields, entries);
  }
  return entries;
}

/** The entries of an object as they are written, undefined for none. */
export function entriesOf({ metadata }: ApiObject): readonly JsonObject[] | undefined {
  const { managedFields } = metadata;
  return Array.isArray(managedFields) ? managedFields : undefined;
}

function jsonOf(entries: ManagedEntries): readonly JsonObject[] | undefined {
  if (entries.size === 0) return undefined;
  const json = entries.toJson();
  readEntries.set(json, entries);
  return json;
}

/**
 * Whether two states of an object differ only in the times of their entries. Such a write is
 * dropped (k8s.io/apiserver `NewManagedFieldsEqualityTransformer`,
 * pkg/endpoints/handlers/fieldmanager/equality.go).
 */
export function isSameButTimes(before: ApiObject, after: ApiObject): boolean {
  const [left, right] = [before.metadata["managedFields"], after.metadata["managedFields"]];
  if (!Array.isArray(left) || !Array.isArray(right)) return isJsonEqual(before, after);
  if (left.length !== right.length) return false;
  return (
    isJsonEqual(withoutEntries(before), withoutEntries(after)) &&
    isJsonEqual(left.map(withoutTime), right.map(withoutTime))
  );
}

function withoutTime(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}

/** Replaces the entries of an object. */
export function withEntries(
  object: ApiObject,
  entries: readonly JsonObject[] | undefined,
): ApiObject {
  const { managedFields: _entries, ...metadata } = object.metadata;
  const all = entries === undefined ? metadata : { ...metadata, managedFields: entries };
  return { ...object, metadata: all };
}

/** Returns an object without its entries, `apiVersion` and `kind`. */
export function withoutEntries(object: ApiObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = object;
  const { managedFields: _entries, ...rest } = metadata;
  return { ...fields, metadata: rest };
}

/**
 * Returns the manager of a request: its field manager, or the program in its user agent
 * (k8s.io/apiserver `managerOrUserAgent`, pkg/endpoints/handlers/create.go).
 */
export function managerOf(fieldManager: string, userAgent: string): string {
  if (fieldManager !== "") return fieldManager;
  const [program = ""] = userAgent.split("/", 1);
  let manager = "";
  let bytes = 0;
  for (const character of program) {
    if (!isPrintable(character)) continue;
    bytes += byteLength(character);
    if (bytes > maxManagerBytes) break;
    manager += character;
  }
  return manager === "" ? "unknown" : manager;
}
