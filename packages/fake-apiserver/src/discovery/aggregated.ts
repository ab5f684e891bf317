import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { groupDefinitions } from "./api-groups.ts";
import type { ServedResource } from "./api-groups.ts";
import { resourceVerbs, subresourcesOf } from "./resource-verbs.ts";

/** Media type of the aggregated documents. Responses contain exactly this string. */
export const aggregatedDiscoveryType =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Creates the aggregated discovery document of `/api` (the core group) or `/apis` (all others). */
export function aggregatedDiscoveryDocument(
  definitions: Iterable<ResourceDefinition>,
  path: "/api" | "/apis",
): JsonObject {
  const groups = groupDefinitions(definitions).filter(
    ({ name }) => (name === "") === (path === "/api"),
  );
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map((version) => ({
        version: version.name,
        resources: version.resources.map(describeResource),
        freshness: "Current",
      })),
    })),
  };
}

function describeResource({ definition, version }: ServedResource): JsonObject {
  const { group, kind, plural, singular, shortNames, categories, namespaced } = definition;
  // Built-in kinds omit the group and version, which equal those of their resource.
  const responseKind = definition.custom
    ? { group, version: version.name, kind }
    : { group: "", version: "", kind };
  const subresources = subresourcesOf(definition.custom, version).map(
    ({ name, verbs, ...body }) => ({
      subresource: name,
      responseKind: { ...responseKind, ...body },
      verbs,
    }),
  );
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs: resourceVerbs(definition),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
