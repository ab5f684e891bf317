import {
  isRecord,
  recordOf,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import { setMember } from "../base/read-fields.ts";
import type { ApiObjectMeta } from "../api/api-object.ts";
import { goTypeOf } from "./decode.ts";
import { MetaTypeError } from "./errors.ts";
import { goQuote } from "../base/go-text.ts";

/** ObjectMeta as the server's typed decoder leaves it. */
export interface DecodedMeta {
  readonly metadata: ApiObjectMeta;
  /** Paths of fields that ObjectMeta does not have. */
  readonly unknown: readonly string[];
}

type FieldDecoder = (value: unknown, path: string) => unknown;

// Go's RFC 3339: offsets and fractions are understood, and lost when the time is written again.
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const ownerFields: Readonly<Record<string, FieldDecoder>> = {
  apiVersion: text,
  kind: text,
  name: text,
  uid: text,
  controller: flag,
  blockOwnerDeletion: flag,
};

const metaFields: Readonly<Record<string, FieldDecoder>> = {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: integer,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: integer,
  labels: texts,
  annotations: texts,
  ownerReferences: (value, path) => list(value, path, owner),
  finalizers: (value, path) => list(value, path, text),
  managedFields: (value, path) => list(value, path, object),
};

/**
 * Decodes `metadata` as Go's typed decoder does: unknown fields and empty values are dropped.
 *
 * @throws {MetaTypeError} for values of the wrong type
 */
export function decodeObjectMeta(value: unknown): DecodedMeta {
  if (value === undefined || value === null) return { metadata: {}, unknown: [] };
  if (!isRecord(value)) throw wrongType(value, "metadata", "v1.ObjectMeta");
  if (isPlain(value)) return { metadata: value, unknown: [] };
  const metadata: MutableJsonObject = {};
  const unknown: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const decode = Object.hasOwn(metaFields, name) ? metaFields[name] : undefined;
    if (decode === undefined) {
      unknown.push(`metadata.${name}`);
      continue;
    }
    // Objects of a program may have undefined members, which JSON leaves out.
    const decoded = field === null || field === undefined ? undefined : decode(field, name);
    if (!isEmpty(decoded)) metadata[name] = decoded;
  }
  unknown.push(...unknownOwnerFields(value["ownerReferences"]));
  return { metadata, unknown };
}

// Most objects carry nothing but names, labels and annotations; they need no copy.
function isPlain(value: JsonObject): boolean {
  for (const name in value) {
    const field = value[name];
    if (name === "name" || name === "namespace" || name === "generateName") {
      if (typeof field !== "string" || field === "") return false;
    } else if (name === "labels" || name === "annotations") {
      if (!isRecord(field) || !isTextMap(field)) return false;
    } else {
      return false;
    }
  }
  return true;
}

function isTextMap(value: JsonObject): boolean {
  let count = 0;
  for (const key in value) {
    if (typeof value[key] !== "string") return false;
    count++;
  }
  return count > 0;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

function text(value: unknown, path: string): string {
  if (value === null) return "";
  if (typeof value !== "string") throw wrongType(value, path, "string");
  return value;
}

function flag(value: unknown, path: string): boolean {
  if (typeof value !== "boolean") throw wrongType(value, path, "bool");
  return value;
}

function integer(value: unknown, path: string): number {
  if (typeof value !== "number") throw wrongType(value, path, "int64");
  if (!Number.isInteger(value)) {
    throw new MetaTypeError(
      `json: cannot unmarshal number ${value} into Go struct field ObjectMeta.${path} of type int64`,
    );
  }
  return value;
}

function time(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrongType(value, path, "string");
  const parsed = rfc3339.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(parsed)) {
    const shown = goQuote(value);
    throw new MetaTypeError(
      `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`,
    );
  }
  return `${new Date(parsed).toISOString().slice(0, 19)}Z`;
}

function texts(value: unknown, path: string): JsonObject {
  if (!isRecord(value)) throw wrongType(value, path, "map[string]string");
  const decoded: MutableJsonObject = {};
  for (const [key, item] of Object.entries(value)) setMember(decoded, key, text(item, path));
  return decoded;
}

function list(value: unknown, path: string, item: FieldDecoder): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(value, path, "[]string");
  return value.map((entry) => item(entry, path));
}

function object(value: unknown, path: string): JsonObject {
  if (!isRecord(value)) throw wrongType(value, path, "v1.ManagedFieldsEntry");
  return value;
}

function owner(value: unknown, path: string): JsonObject {
  if (!isRecord(value)) throw wrongType(value, path, "v1.OwnerReference");
  const decoded: MutableJsonObject = { apiVersion: "", kind: "", name: "", uid: "" };
  for (const [name, decode] of Object.entries(ownerFields)) {
    const field = value[name];
    if (field !== undefined && field !== null) decoded[name] = decode(field, `${path}.${name}`);
  }
  return decoded;
}

function unknownOwnerFields(owners: unknown): readonly string[] {
  if (!Array.isArray(owners)) return [];
  return owners.flatMap((entry, index) =>
    Object.keys(recordOf(entry))
      .filter((name) => !Object.hasOwn(ownerFields, name))
      .map((name) => `metadata.ownerReferences[${index}].${name}`),
  );
}

function wrongType(value: unknown, path: string, type: string): MetaTypeError {
  return new MetaTypeError(
    `json: cannot unmarshal ${goTypeOf(value)} into Go struct field ObjectMeta.${path} of type ${type}`,
  );
}
