import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { FieldError } from "../api/field-error.ts";
import type { ObjectDecoder } from "../input/decode-object.ts";
import type { ConformedObject } from "../schema/conform-object.ts";
import type { ForbiddenNulls } from "../schema/defaults.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** Who creates an object. */
export interface Creator {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What an update of a subresource changes of its object. */
export interface SubresourceUpdate {
  /**
   * The stored object with what the subresource takes of the sent one. The sent object has the
   * metadata that the server keeps.
   */
  take(sent: ApiObject, stored: ApiObject): ApiObject;
  /** Reasons to refuse the changed object. */
  validate?(object: ApiObject, stored: ApiObject): readonly FieldError[];
  /** A refusal that is about no field. */
  refuse?(object: ApiObject, stored: ApiObject): Error | undefined;
}

/**
 * What is special about a resource. Everything absent is as for all resources. Objects are those of
 * the served version; they are not to be modified.
 */
export interface ResourceStrategy {
  /** Decodes the objects of a version by their declared type. */
  decoder?(served: ServedVersion): Promise<ObjectDecoder | undefined>;
  /**
   * Loads what checking an object of the version needs; awaited before a client's write begins.
   * Undefined if there is nothing to load.
   */
  loadChecks?(served: ServedVersion): Promise<void> | undefined;
  /**
   * Drops fields the resource does not have and fills in defaults; no version = one that is not
   * served.
   */
  conform?(
    object: ApiObject,
    served: ServedVersion | undefined,
    nulls?: ForbiddenNulls,
  ): ConformedObject;
  /** What `metadata.generation` counts the changes of. @default the spec */
  readonly desiredState?: ((object: ApiObject) => unknown) | undefined;
  /** Sets what the server decides on a new object; it has no creator if the server makes it. */
  prepareForCreate?(object: ApiObject, creator?: Creator): ApiObject;
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
  /**
   * Refuses a valid object for what others say, as the admission of a real server does; `stored` is
   * undefined for a new one.
   *
   * @throws {ApiError} 403
   */
  admit?(object: ApiObject, stored: ApiObject | undefined): void;
  /** What the writer of an accepted object should know; `stored` is undefined for a new one. */
  warnings?(object: ApiObject, stored: ApiObject | undefined): readonly string[];
  /** A delete that does not say what becomes of dependents leaves them. */
  readonly orphansByDefault?: boolean | undefined;
  /** What the writer of such a delete should know. */
  readonly orphanWarning?: string | undefined;
  /** The status of a new object may be given by its creator. */
  readonly keepsStatusOnCreate?: boolean | undefined;
  /** Reasons to refuse a changed status. */
  validateStatus?(
    object: ApiObject,
    stored: ApiObject,
    served: ServedVersion,
  ): readonly FieldError[];
  /** The subresources that read as the object and change a part of it, by their names. */
  readonly subresourceUpdates?: Readonly<Record<string, SubresourceUpdate>> | undefined;
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
