import type { FoundResource } from "../api/registry.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { reviewDefinitions } from "../kinds/reviews.ts";

/** Returns the review kind of a request; undefined for other resources. */
export function findReview({ group, resource, version }: RequestInfo): FoundResource | undefined {
  // Fast path: most requests are for other groups.
  if (!group.startsWith("auth")) return undefined;
  const definition = reviewDefinitions.find(
    (one) => one.group === group && one.plural === resource,
  );
  const served = definition?.versions.find(({ name }) => name === version);
  return definition && served && { definition, served };
}
