import { compareVersions } from "../api/api-versions.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";

/** An API group with its versions, the preferred one first. */
export interface ApiGroup {
  /** "" for the core group. */
  readonly name: string;
  readonly versions: readonly ApiGroupVersion[];
}

/** What one version of a group serves. */
interface ApiGroupVersion {
  readonly name: string;
  readonly resources: readonly ServedResource[];
}

/** A resource in one of its versions. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
}

/**
 * Sorts definitions by group and version. Groups stay in the order of their first definition:
 * built-in ones by priority, custom ones as they were registered.
 */
export function groupDefinitions(definitions: Iterable<ResourceDefinition>): readonly ApiGroup[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const definition of definitions) {
    const versions = groups.get(definition.group) ?? new Map<string, ServedResource[]>();
    groups.set(definition.group, versions);
    for (const version of definition.versions) {
      const resources = versions.get(version.name) ?? [];
      versions.set(version.name, resources);
      resources.push({ definition, version });
    }
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .map(([version, resources]) => ({ name: version, resources }))
      .toSorted((a, b) => compareVersions(a.name, b.name)),
  }));
}
