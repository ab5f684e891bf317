import type { ResourceDefinition } from "../api/resource-definition.ts";
import { clusterResources } from "./cluster.ts";
import { coreResources } from "./core.ts";
import { workloadResources } from "./workloads.ts";

/**
 * The built-in resources (api-server §1.22), in the order of discovery. Their specs are not
 * validated.
 *
 * Review kinds that store nothing (TokenReview and the like) are not resources in this sense.
 */
export function builtinResources(): readonly ResourceDefinition[] {
  return [...coreResources, ...workloadResources, ...clusterResources];
}
