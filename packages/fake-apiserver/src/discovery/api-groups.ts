import { compareVersions } from "../api/api-versions.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";

/** An API group; the preferred version comes first. */
export interface ApiGroup {
  /** "" for the core group. */
  readonly name: string;
  readonly versions: readonly ApiGroupVersion[];
}

interface ApiGroupVersion {
  readonly name: string;
  readonly resources: readonly ServedResource[];
}

/** A resource in one of its versions. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
}

// Priorities of kube-apiserver's `apiVersionPriorities`, pkg/controlplane/apiserver/aggregator.go.
const builtinOrder: ReadonlyMap<string, number> = new Map(
  [
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "storagemigration.k8s.io",
  ].map((name, index) => [name, index]),
);

/**
 * Groups definitions and sorts them by version. Built-in groups are ordered by priority; custom
 * ones follow in order of registration.
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
  const place = (name: string): number => builtinOrder.get(name) ?? builtinOrder.size;
  const sorted = [...groups].toSorted(([left], [right]) => place(left) - place(right));
  return sorted.map(([name, versions]) => ({
    name,
    versions: [...versions]
      .map(([version, resources]) => ({ name: version, resources }))
      .toSorted((a, b) => compareVersions(a.name, b.name)),
  }));
}
