import type { JsonObject } from "@listwatch/core-fifo/base";
import { compareBytes } from "../base/go-text.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { groupDefinitions } from "./api-groups.ts";
import { healthChecks, healthRoots } from "./health.ts";

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
