import type { JsonObject } from "@listwatch/core-fifo/base";
import { fieldSetOf, type FieldSet } from "./field-set.ts";
import type { FieldType } from "./field-type.ts";
import type { Owner } from "./managed-fields.ts";

/** A version of a resource, as ownership needs it. */
export interface OwnedVersion {
  readonly type: FieldType;
  /**
   * What a new object is compared with: the value of the type with nothing set. What it has does
   * not belong to the creator of an object.
   */
  readonly zero: JsonObject;
  /** The same object in this version. */
  convert(object: JsonObject): JsonObject;
}

/** Who writes, through what. */
export interface OwnershipRequest {
  readonly owner: Owner;
  /** The fields that the endpoint resets, whatever the request says. */
  readonly reset: FieldSet;
  /** The time of the write as `managedFields` holds it; `undefined` for none. */
  readonly now: string | undefined;
  /** `undefined` for a version that is not served (any longer). */
  readonly versionOf: (apiVersion: string) => OwnedVersion | undefined;
}

/** What says which object it is, and what the server writes: without an owner. */
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

/** What an owner may own of a set. */
export function ownable(set: FieldSet, reset: FieldSet): FieldSet {
  return set.minusBelow(reset).minus(systemFields);
}
