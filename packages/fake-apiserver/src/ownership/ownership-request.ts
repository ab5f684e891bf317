import type { JsonObject } from "@listwatch/core-fifo/base";
import { fieldSetOf, type FieldSet } from "./field-set.ts";
import type { FieldType } from "./field-type.ts";
import type { Owner } from "./managed-fields.ts";

/** A version of a resource for field ownership. */
export interface OwnedVersion {
  readonly type: FieldType;
  /** The empty object that a new one is compared with. Its fields do not belong to the creator. */
  readonly zero: JsonObject;
  /** Converts an object to this version. */
  convert(object: JsonObject): JsonObject;
}

/** The writer of a request and its endpoint. */
export interface OwnershipRequest {
  readonly owner: Owner;
  /** Fields that the endpoint resets, whatever the request contains. */
  readonly reset: FieldSet;
  /** Time of the write in the format of `managedFields`; `undefined` for none. */
  readonly now: string | undefined;
  /** Returns `undefined` for a version that is not served. */
  readonly versionOf: (apiVersion: string) => OwnedVersion | undefined;
}

/** Identity and server-written fields, which have no owner. */
export const systemFields: FieldSet = fieldSetOf(
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
);

/** Returns the fields of a set that can have an owner. */
export function ownable(set: FieldSet, reset: FieldSet): FieldSet {
  return set.minusBelow(reset).minus(systemFields);
}
