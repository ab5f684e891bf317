import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { FieldError } from "../api/field-error.ts";
import type { ConformedObject } from "../schema/conform-object.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/**
 * What is special about a resource. Everything absent is as for all resources. Objects are those of
 * the served version; they are not to be modified.
 */
export interface ResourceStrategy {
  /**
   * Drops fields the resource does not have and fills in defaults; no version = one that is not
   * served.
   */
  conform?(object: ApiObject, served: ServedVersion | undefined): ConformedObject;
  /** Sets what the server decides on a new object. */
  prepareForCreate?(object: ApiObject): ApiObject;
  /** Sets what the server decides on a changed object. */
  prepareForUpdate?(object: ApiObject, stored: ApiObject): ApiObject;
  /** Reasons to refuse a new object, besides those in its metadata. */
  validateCreate?(object: ApiObject, served: ServedVersion): readonly FieldError[];
  /** Reasons to refuse a changed object, besides those in its metadata. */
  validateUpdate?(
    object: ApiObject,
    stored: ApiObject,
    served: ServedVersion,
  ): readonly FieldError[];
  /** What the writer of an accepted object should know; `stored` is undefined for a new one. */
  warnings?(object: ApiObject, stored: ApiObject | undefined): readonly string[];
  /** The status of a new object may be given by its creator. */
  readonly keepsStatusOnCreate?: boolean | undefined;
  /** Reasons to refuse a changed status. */
  validateStatus?(
    object: ApiObject,
    stored: ApiObject,
    served: ServedVersion,
  ): readonly FieldError[];
  /** A refusal that comes before everything else about a create. */
  refuseCreate?(definition: ResourceDefinition, name: string): Error | undefined;
  /** A refusal that comes before everything else about a delete. */
  refuseDelete?(stored: StoredObject): Error | undefined;
  /** True if a deleted object stays, marked, until something has cleaned up after it. */
  staysWhenDeleted?(stored: ApiObject): boolean;
  /** Changes an object that is marked as deleted. */
  markDeleted?(object: ApiObject): ApiObject;
  /** Seconds an object may take to end, from what the delete asks for. */
  gracePeriod?(stored: ApiObject, asked: number | undefined): number;
  /** Called in the turn of each effective write; `version` is undefined after a removal. */
  written?(version: StoredObject | undefined, previous: StoredObject | undefined): void;
}
