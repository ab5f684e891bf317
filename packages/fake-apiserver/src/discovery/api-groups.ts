import { compareBytes } from "../base/go-text.ts";
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

interface VersionRank {
  readonly isVersion: boolean;
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const STABILITY: ReadonlyMap<string, number> = new Map([
  ["alpha", 0],
  ["beta", 1],
]);
const STABLE = 2;

/**
 * Orders versions as Kubernetes prefers them: stable before beta before alpha, newer before older,
 * and names that are no versions last, in alphabetical order (k8s.io/apimachinery,
 * version.CompareKubeAwareVersionStrings).
 */
export function compareVersions(a: string, b: string): number {
  const left = rankVersion(a);
  const right = rankVersion(b);
  if (!left.isVersion && !right.isVersion) return compareBytes(a, b);
  if (left.isVersion !== right.isVersion) return left.isVersion ? -1 : 1;
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

function rankVersion(name: string): VersionRank {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name);
  if (match === null) return { isVersion: false, stability: 0, major: 0, minor: 0 };
  const [, major = "0", stability, minor = "0"] = match;
  return {
    isVersion: true,
    stability: stability === undefined ? STABLE : (STABILITY.get(stability) ?? 0),
    major: Number(major),
    minor: Number(minor),
  };
}
