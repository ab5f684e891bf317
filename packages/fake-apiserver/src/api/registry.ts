import type { ResourceDefinition, ServedVersion } from "./resource-definition.ts";

/** A resource in the version a request named. */
export interface FoundResource {
  readonly definition: ResourceDefinition;
  readonly served: ServedVersion;
}

/** All resources the server serves. Definitions are immutable; a changed one replaces the old one. */
export class ResourceRegistry {
  readonly #byResource = new Map<string, ResourceDefinition>();
  readonly #byPath = new Map<string, FoundResource>();
  #version = 0;

  constructor(definitions: Iterable<ResourceDefinition> = []) {
    for (const definition of definitions) this.set(definition);
  }

  /** Counts the changes; documents made from the registry can be kept while it stays the same. */
  get version(): number {
    return this.#version;
  }

  /** Adds a resource or replaces the one with the same group and plural. */
  set(definition: ResourceDefinition): void {
    this.delete(definition);
    this.#byResource.set(groupResource(definition), definition);
    for (const served of definition.versions) {
      this.#byPath.set(path(definition.group, served.name, definition.plural), {
        definition,
        served,
      });
    }
    this.#version++;
  }

  delete(names: Pick<ResourceDefinition, "group" | "plural">): void {
    const existing = this.#byResource.get(groupResource(names));
    if (existing === undefined) return;
    this.#byResource.delete(groupResource(names));
    for (const served of existing.versions) {
      this.#byPath.delete(path(existing.group, served.name, existing.plural));
    }
    this.#version++;
  }

  get(group: string, plural: string): ResourceDefinition | undefined {
    return this.#byResource.get(groupResource({ group, plural }));
  }

  find(group: string, version: string, plural: string): FoundResource | undefined {
    return this.#byPath.get(path(group, version, plural));
  }

  /** In the order they were added. */
  definitions(): readonly ResourceDefinition[] {
    return [...this.#byResource.values()];
  }
}

/** `pods`, or with its group `widgets.example.com`: the name of a resource. */
export function groupResource(names: Pick<ResourceDefinition, "group" | "plural">): string {
  return names.group === "" ? names.plural : `${names.plural}.${names.group}`;
}

/**
 * The name of the storage in which the objects of a resource are: its own, unless it is `storedAs`
 * another one.
 */
export function storageName(definition: ResourceDefinition): string {
  return groupResource(definition.storedAs ?? definition);
}

/** The version objects are stored in, if it is served. */
export function storageVersionOf(definition: ResourceDefinition): ServedVersion | undefined {
  return definition.versions.find(({ name }) => name === definition.storageVersion);
}

function path(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
