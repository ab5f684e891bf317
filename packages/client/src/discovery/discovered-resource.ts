import { isRecord, recordOf, stringOf, stringsOf } from "@listwatch/core-fifo/base";
import type { Scope } from "@listwatch/core-fifo";
import { DecodeError } from "../errors/decode-errors.ts";
import type { Resource } from "../resource/resource.ts";

/** A resource of a server, as described by its discovery. */
export interface DiscoveredResource extends Resource {
  /** Abbreviations that kubectl accepts, such as `deploy`. Empty if the resource has none. */
  readonly shortNames: readonly string[];
  /** Name of one object in commands, such as `deployment`; `""` if the server sends none. */
  readonly singularName: string;
  /** Groups of resources that kubectl selects together, such as `all`. */
  readonly categories: readonly string[];
  /** Supported operations, such as `get`, `list` and `watch`. An informer needs the latter two. */
  readonly verbs: readonly string[];
  /** Names of the subresources, such as `status` and `scale`. Empty if there are none. */
  readonly subresources: readonly string[];
}

/** Resources of a server. */
export interface ResourceTable {
  /** In the server's order of preference: groups, then versions. */
  readonly resources: readonly DiscoveredResource[];
  /**
   * Group versions whose server could not be reached, such as `metrics.k8s.io/v1beta1`. Their
   * resources may be outdated or missing.
   */
  readonly stale: readonly string[];
  /** Errors of those group versions that were asked one by one, on servers before 1.26. */
  readonly failures: readonly GroupFailure[];
}

/** A group version whose resources could not be read. */
export interface GroupFailure {
  /** Group and version, such as `metrics.k8s.io/v1beta1`. */
  readonly groupVersion: string;
  /** Failure of the request for this group version, such as a {@link StatusError} with code 503. */
  readonly error: unknown;
}

/** Reads a response of aggregated discovery: `APIGroupDiscoveryList` of apidiscovery.k8s.io/v2. */
export function readAggregated(document: unknown): Omit<ResourceTable, "failures"> {
  const resources: DiscoveredResource[] = [];
  const stale: string[] = [];
  for (const item of listOf(recordOf(document)["items"])) {
    const group = stringOf(recordOf(item["metadata"])["name"]);
    for (const entry of listOf(item["versions"])) {
      const version = stringOf(entry["version"]);
      if (entry["freshness"] === "Stale")
        stale.push(group === "" ? version : `${group}/${version}`);
      for (const found of listOf(entry["resources"])) {
        resources.push(readAggregatedResource(group, version, found));
      }
    }
  }
  return { resources, stale };
}

function readAggregatedResource(
  group: string,
  version: string,
  found: Readonly<Record<string, unknown>>,
): DiscoveredResource {
  return {
    // Group and version of the kind may be empty, and are then those of the resource. If they
    // differ, as for a Scale, the resource is still served under its own.
    group,
    version,
    resource: stringOf(found["resource"]),
    kind: stringOf(recordOf(found["responseKind"])["kind"]),
    scope: scopeOf(found["scope"] === "Namespaced"),
    shortNames: stringsOf(found["shortNames"]),
    singularName: stringOf(found["singularResource"]),
    categories: stringsOf(found["categories"]),
    verbs: stringsOf(found["verbs"]),
    subresources: listOf(found["subresources"]).map((part) => stringOf(part["subresource"])),
  };
}

/**
 * Reads an `APIResourceList`, which older servers have for each group version.
 *
 * @throws {DecodeError} if it is something else
 */
export function readResourceList(document: unknown): readonly DiscoveredResource[] {
  const { groupVersion, kind = "APIResourceList", resources } = recordOf(document);
  if (kind !== "APIResourceList") {
    throw new DecodeError("an APIResourceList", 0, JSON.stringify(document));
  }
  const { group, version } = splitGroupVersion(stringOf(groupVersion));
  const all = listOf(resources);
  return all
    .filter(({ name }) => !stringOf(name).includes("/"))
    .map((found) => {
      const resource = stringOf(found["name"]);
      const subresources = all
        .map(({ name }) => stringOf(name))
        .filter((name) => name.startsWith(`${resource}/`))
        .map((name) => name.slice(resource.length + 1));
      return {
        group,
        version,
        resource,
        kind: stringOf(found["kind"]),
        scope: scopeOf(found["namespaced"] === true),
        shortNames: stringsOf(found["shortNames"]),
        singularName: stringOf(found["singularName"]),
        categories: stringsOf(found["categories"]),
        verbs: stringsOf(found["verbs"]),
        subresources,
      };
    });
}

/** Returns the group versions of an `APIGroupList`, the preferred version of each group first. */
export function readGroupList(document: unknown): readonly string[] {
  return listOf(recordOf(document)["groups"]).flatMap((group) => {
    const preferred = stringOf(recordOf(group["preferredVersion"])["groupVersion"]);
    const all = listOf(group["versions"]).map((entry) => stringOf(entry["groupVersion"]));
    return [preferred, ...all.filter((name) => name !== preferred)].filter((name) => name !== "");
  });
}

/** Splits `apps/v1`, or `v1` of the core group. */
export function splitGroupVersion(groupVersion: string): {
  readonly group: string;
  readonly version: string;
} {
  const [first = "", second] = groupVersion.split("/");
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

function scopeOf(isNamespaced: boolean): Scope {
  return isNamespaced ? "Namespaced" : "Cluster";
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value)
    ? value.filter((item): item is Record<string, unknown> => isRecord(item))
    : [];
}
