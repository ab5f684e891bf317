import type { UserInfo } from "../api/access.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { FieldError } from "../api/errors.ts";
import type { ObjectDecoder } from "../input/decode-object.ts";
import type { DeleteOptions } from "../input/delete-options.ts";
import type { ConformedObject } from "../schema/conform-object.ts";
import type { ForbiddenNulls } from "../schema/defaults.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { groupResource } from "../api/registry.ts";

/** Changes of an object by an update of a subresource. */
export interface SubresourceUpdate {
  /**
   * The stored object with the members that the subresource takes from the sent one. The sent
   * object has the metadata that the server keeps.
   */
  take(sent: ApiObject, stored: ApiObject): ApiObject;
  /** Reasons to refuse the changed object. */
  validate?(object: ApiObject, stored: ApiObject): readonly FieldError[];
  /** A refusal that is about no field. */
  refuse?(object: ApiObject, stored: ApiObject): Error | undefined;
}

/**
 * Special behaviour of a resource. An absent member means the common behaviour. Objects are those
 * of the served version and must not be modified.
 */
export interface ResourceStrategy {
  /** Decodes the objects of a version by their declared type. */
  decoder?(served: ServedVersion): Promise<ObjectDecoder | undefined>;
  /**
   * Loads what checking an object of the version needs; awaited before a client's write begins.
   * Undefined if there is nothing to load.
   */
  loadChecks?(served: ServedVersion): Promise<void> | undefined;
  /** As {@link loadChecks}, by the text of the body of the request. */
  loadChecksOf?(text: string): Promise<void> | undefined;
  /**
   * Drops fields the resource does not have and fills in defaults; no version = one that is not
   * served.
   */
  conform?(
    object: ApiObject,
    served: ServedVersion | undefined,
    nulls?: ForbiddenNulls,
  ): ConformedObject;
  /** The state whose changes `metadata.generation` counts. @default the spec */
  readonly desiredState?: ((object: ApiObject) => unknown) | undefined;
  /**
   * Returns a new object as the server's own plugins change it. They run before policies and
   * webhooks, which see the result, and again after them.
   */
  admitNew?(object: ApiObject): ApiObject;
  /** Sets what the server decides on a new object; it has no creator if the server makes it. */
  prepareForCreate?(object: ApiObject, creator?: UserInfo): ApiObject;
  /** Sets what the server decides on a changed object. */
  prepareForUpdate?(object: ApiObject, stored: ApiObject): ApiObject;
  /** Reasons to refuse a new object, except those in its metadata. */
  validateCreate?(object: ApiObject, served: ServedVersion): readonly FieldError[];
  /** Reasons to refuse a changed object, except those in its metadata. */
  validateUpdate?(
    object: ApiObject,
    stored: ApiObject,
    served: ServedVersion,
  ): readonly FieldError[];
  /**
   * Reasons to refuse a valid object for the resources that it asks for, such as addresses;
   * `stored` is undefined for a new one.
   */
  checkAllocation?(
    object: ApiObject,
    stored: ApiObject | undefined,
    dryRun: boolean,
  ): readonly FieldError[];
  /**
   * Refuses a valid object because of other objects, as the admission of a real server does;
   * `stored` is undefined for a new one.
   *
   * @throws {ApiError} 403
   */
  admit?(object: ApiObject, stored: ApiObject | undefined): void;
  /** Errors of rules that the type declares; they take the places of those written by hand. */
  checkDeclared?(object: ApiObject, stored: ApiObject | undefined): readonly FieldError[];
  /** Warnings for the writer of an accepted object; `stored` is undefined for a new one. */
  warnings?(object: ApiObject, stored: ApiObject | undefined): readonly string[];
  /** Parts of the object that have no effect on this server, as warnings for its writer. */
  unevaluated?(object: ApiObject): readonly string[];
  /**
   * Dependents of a deleted object: `kept` without a propagation policy, or `none`, so that no
   * delete waits for them. @default as the policy says, or deleted
   */
  readonly dependents?: "kept" | "none" | undefined;
  /** Warning for the writer of such a delete. */
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
  refuseDelete?(stored: StoredObject, options: DeleteOptions): Error | undefined;
  /** True if a deleted object stays, marked, until something has cleaned up after it. */
  staysWhenDeleted?(stored: ApiObject): boolean;
  /** Changes an object that is marked as deleted. */
  markDeleted?(object: ApiObject): ApiObject;
  /** Seconds an object may take to end, from what the delete asks for. */
  gracePeriod?(stored: ApiObject, asked: number | undefined): number;
  /** Called in the turn of each effective write; `version` is undefined after a removal. */
  written?(version: StoredObject | undefined, previous: StoredObject | undefined): void;
}

const nothingSpecial: ResourceStrategy = {};

/** The strategies of a server's resources. */
export class Strategies {
  readonly #builtin = new Map<string, ResourceStrategy>();
  /** Functions that create the strategies when they are first needed. */
  readonly #creators = new Map<string, () => ResourceStrategy>();
  readonly #custom: ResourceStrategy;

  /** @param custom the strategy of all custom resources */
  constructor(custom: ResourceStrategy) {
    this.#custom = custom;
  }

  /** Sets the strategy of a built-in resource, which is created when it is first needed. */
  set(resource: string, create: () => ResourceStrategy): void {
    this.#creators.set(resource, create);
  }

  of(definition: ResourceDefinition): ResourceStrategy {
    if (definition.custom) return this.#custom;
    const resource = groupResource(definition);
    const known = this.#builtin.get(resource);
    if (known !== undefined) return known;
    const strategy = this.#creators.get(resource)?.() ?? nothingSpecial;
    this.#builtin.set(resource, strategy);
    return strategy;
  }
}
