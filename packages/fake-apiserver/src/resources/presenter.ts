import type { StoredVersion } from "../storage/stored-version.ts";
import type { ApiObject, ResourceDefinition, ServedVersion } from "./resource-definition.ts";

/** The group and version of an object as its `apiVersion` says it. */
export function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Shows stored objects of one resource in one served version. */
export class Presenter {
  readonly definition: ResourceDefinition;
  readonly served: ServedVersion;
  readonly apiVersion: string;
  readonly #head: string;
  readonly #itemHead: string;

  constructor(definition: ResourceDefinition, served: ServedVersion) {
    this.definition = definition;
    this.served = served;
    this.apiVersion = apiVersionOf(definition.group, served.name);
    const apiVersion = `"apiVersion":${JSON.stringify(this.apiVersion)}`;
    const kind = `"kind":${JSON.stringify(definition.kind)}`;
    // Built-in objects put their kind first, custom resources are in alphabetical order.
    this.#head = definition.custom ? `{${apiVersion},${kind},` : `{${kind},${apiVersion},`;
    // Items of built-in lists do not say what they are: the list does (api-server §0.14).
    this.#itemHead = definition.custom ? this.#head : "{";
  }

  /** The whole object as JSON. */
  text(version: StoredVersion): string {
    return this.#head + version.tail;
  }

  /** The object as JSON, as an item of a list. */
  itemText(version: StoredVersion): string {
    return this.#itemHead + version.tail;
  }

  /** The object with its `apiVersion` and `kind`. Not to be modified. */
  object(version: StoredVersion): ApiObject {
    return this.dress(version.object);
  }

  /** The object as an item of a list. Not to be modified. */
  item(version: StoredVersion): ApiObject {
    return this.definition.custom ? this.object(version) : version.object;
  }

  /** An object of this resource with its `apiVersion` and `kind`. */
  dress(object: ApiObject): ApiObject {
    const { apiVersion, definition } = this;
    return definition.custom
      ? { apiVersion, kind: definition.kind, ...object }
      : { kind: definition.kind, apiVersion, ...object };
  }
}
