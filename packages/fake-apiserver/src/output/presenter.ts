import { apiVersionOf } from "../api/api-versions.ts";
import { objectTail, type StoredObject } from "../storage/stored-object.ts";
import type { Versions } from "../storage/versions.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";

/** Shows stored objects of one resource in one served version. */
export class Presenter {
  readonly definition: ResourceDefinition;
  readonly served: ServedVersion;
  readonly apiVersion: string;
  /** The resourceVersions of revisions. */
  readonly versions: Versions;
  readonly #head: string;
  readonly #itemHead: string;
  readonly #convert: ((object: ApiObject, stored: StoredObject) => ApiObject) | undefined;
  readonly #converted = new WeakMap<StoredObject, { object: ApiObject; tail: string }>();
  #unmanaged: Presenter | undefined;

  /** @param convert makes an object of this version of a stored one; none if they are the same */
  constructor(
    definition: ResourceDefinition,
    served: ServedVersion,
    versions: Versions,
    convert?: (object: ApiObject, stored: StoredObject) => ApiObject,
  ) {
    this.#convert = convert;
    this.definition = definition;
    this.served = served;
    this.versions = versions;
    this.apiVersion = apiVersionOf(definition.group, served.name);
    const apiVersion = `"apiVersion":${JSON.stringify(this.apiVersion)}`;
    const kind = `"kind":${JSON.stringify(definition.kind)}`;
    // Built-in objects put their kind first, custom resources are in alphabetical order.
    this.#head = definition.custom ? `{${apiVersion},${kind},` : `{${kind},${apiVersion},`;
    // Items of built-in lists have no type: the list has it.
    this.#itemHead = definition.custom ? this.#head : "{";
  }

  /** Shows the same objects without `metadata.managedFields`. */
  withoutManagedFields(): Presenter {
    this.#unmanaged ??= new Presenter(
      this.definition,
      this.served,
      this.versions,
      (_object, stored) => withoutManagedFields(this.#bare(stored)),
    );
    return this.#unmanaged;
  }

  /** The whole object as JSON. */
  text(stored: StoredObject): string {
    return this.#head + this.#tail(stored);
  }

  /** The object as JSON, as an item of a list. */
  itemText(stored: StoredObject): string {
    return this.#itemHead + this.#tail(stored);
  }

  /** The object with its `apiVersion` and `kind`. Not to be modified. */
  object(stored: StoredObject): ApiObject {
    return this.withTypeMeta(this.#bare(stored));
  }

  /** The object as an item of a list. Not to be modified. */
  item(stored: StoredObject): ApiObject {
    return this.definition.custom ? this.object(stored) : this.#bare(stored);
  }

  /** Whether an object can be shown without asking a conversion webhook. */
  hasForm(stored: StoredObject): boolean {
    return this.#converted.has(stored);
  }

  /** Keeps an object in this version as a conversion webhook has made it. */
  setForm(stored: StoredObject, object: ApiObject): void {
    this.#converted.set(stored, { object, tail: objectTail(object) });
  }

  #tail(stored: StoredObject): string {
    return this.#convert === undefined ? stored.tail : this.#conversion(stored).tail;
  }

  #bare(stored: StoredObject): ApiObject {
    return this.#convert === undefined ? stored.object : this.#conversion(stored).object;
  }

  #conversion(stored: StoredObject): { readonly object: ApiObject; readonly tail: string } {
    const known = this.#converted.get(stored);
    if (known !== undefined) return known;
    const object = this.#convert?.(stored.object, stored) ?? stored.object;
    const conversion = { object, tail: objectTail(object) };
    this.#converted.set(stored, conversion);
    return conversion;
  }

  /** An object of this resource with its `apiVersion` and `kind`. */
  withTypeMeta(object: ApiObject): ApiObject {
    const { apiVersion, definition } = this;
    return definition.custom
      ? { apiVersion, kind: definition.kind, ...object }
      : { kind: definition.kind, apiVersion, ...object };
  }
}

/** Copies an object without `metadata.managedFields`. */
function withoutManagedFields<T extends Pick<ApiObject, "metadata">>(object: T): T {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : { ...object, metadata };
}
