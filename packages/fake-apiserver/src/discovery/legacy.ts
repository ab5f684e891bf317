import type { JsonObject } from "@listwatch/core-fifo/base";
import { compareBytes } from "../base/go-text.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { groupDefinitions, type ApiGroup, type ServedResource } from "./api-groups.ts";
import { healthChecks, healthRoots } from "./health.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import { resourceVerbs, subresourcesOf } from "./resource-verbs.ts";
import { remembered } from "../base/remembered.ts";
import { sha256 } from "./sha256.ts";

type Definitions = Iterable<ResourceDefinition>;

/** Response of `GET /api`. `serverAddress` is host and port of the request. */
export function apiVersionsDocument(serverAddress: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** Response of `GET /apis`. */
export function apiGroupListDocument(definitions: Definitions): JsonObject {
  const groups = groupDefinitions(definitions).filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(describeGroup) };
}

/** Response of `GET /apis/<group>`, undefined for an unknown group. */
export function apiGroupDocument(definitions: Definitions, group: string): JsonObject | undefined {
  const found = groupDefinitions(definitions).find(({ name }) => name === group && name !== "");
  return found && { kind: "APIGroup", apiVersion: "v1", ...describeGroup(found) };
}

/** Response of `GET /api/v1` and `GET /apis/<group>/<version>`, undefined for an unknown version. */
export function apiResourceListDocument(
  definitions: Definitions,
  group: string,
  version: string,
): JsonObject | undefined {
  const found = groupDefinitions(definitions)
    .find(({ name }) => name === group)
    ?.versions.find(({ name }) => name === version);
  return (
    found && {
      kind: "APIResourceList",
      // The core group's list is older than the field.
      ...(group === "" ? {} : { apiVersion: "v1" }),
      groupVersion: apiVersionOf(group, version),
      resources: found.resources.flatMap(describeResource),
    }
  );
}

function describeGroup({ name, versions }: ApiGroup): JsonObject {
  const described = versions.map((version) => ({
    groupVersion: apiVersionOf(name, version.name),
    version: version.name,
  }));
  return { name, versions: described, preferredVersion: described[0] };
}

function describeResource({ definition, version }: ServedResource): readonly JsonObject[] {
  const { plural, singular, namespaced, kind, shortNames, categories } = definition;
  const entries: JsonObject[] = [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs: resourceVerbs(definition),
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
      ...(isStored(definition) ? { storageVersionHash: storageVersionHash(definition) } : {}),
    },
  ];
  for (const { name, verbs, ...body } of subresourcesOf(definition.custom, version)) {
    const bodyKind = { kind, ...body };
    entries.push({ name: `${plural}/${name}`, singularName: "", namespaced, ...bodyKind, verbs });
  }
  return entries;
}

function isStored({ verbs }: ResourceDefinition): boolean {
  return verbs === undefined || verbs.includes("watch");
}

/** The first 8 bytes of SHA-256 over group, storage version and kind, in base64. */
function storageVersionHash(definition: ResourceDefinition): string {
  const { kind, storageHashVersion: storageVersion = definition.storageVersion } = definition;
  const { group } = definition.storedAs ?? definition;
  return shortHash(`${group}/${storageVersion}/${kind}`);
}

const shortHash = remembered((text) => btoa(String.fromCharCode(...sha256(text).subarray(0, 8))));

/** Response of `GET /`. */
export function rootPathsDocument(definitions: Iterable<ResourceDefinition>): JsonObject {
  const paths = ["/api", "/apis", "/openapi/v3", "/version"];
  for (const root of healthRoots) {
    paths.push(root, ...healthChecks.map((check) => `${root}/${check}`));
  }
  for (const { name, versions } of groupDefinitions(definitions)) {
    if (name !== "") paths.push(`/apis/${name}`);
    const prefix = name === "" ? "/api" : `/apis/${name}`;
    paths.push(...versions.map((version) => `${prefix}/${version.name}`));
  }
  return { paths: paths.toSorted(compareBytes) };
}
