import type { ResourceReference } from "@listwatch/client";
import { createInvalidOptionError, InvalidOptionsError } from "@listwatch/core-fifo/base";

/** A collection of an API server, and the selectors for it. */
export interface CollectionAddress {
  readonly resource: ResourceReference;
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
}

const form =
  /^\/(?:api\/(?<core>[^/]+)|apis\/(?<group>[^/]+)\/(?<version>[^/]+))(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)\/?$/;

/** Parameters that the informer sets itself; a path that has them is accepted. */
const ownParameters: readonly string[] = [
  "watch",
  "resourceVersion",
  "allowWatchBookmarks",
  "timeoutSeconds",
];

/**
 * Reads the path of a collection, such as `/api/v1/namespaces/shop/pods` or
 * `/apis/apps/v1/deployments?labelSelector=app%3Dweb`.
 *
 * @throws {InvalidOptionsError} if it is not the path of a collection, or has a parameter that an
 *   informer cannot list and watch with
 */
export function parseCollectionPath(path: string): CollectionAddress {
  const example = "the path of a collection, such as /api/v1/namespaces/default/pods";
  if (typeof path !== "string") throw createInvalidOptionError("path", example, path);
  const [before = "", query = ""] = path.split("?", 2);
  const { core, group, namespace, resource, version } = form.exec(before)?.groups ?? {};
  if (resource === undefined) throw createInvalidOptionError("path", example, path);
  const parameters = new URLSearchParams(query);
  const labelSelector = parameters.get("labelSelector") ?? undefined;
  const fieldSelector = parameters.get("fieldSelector") ?? undefined;
  for (const name of parameters.keys()) {
    if (name === "labelSelector" || name === "fieldSelector") continue;
    if (ownParameters.includes(name)) continue;
    throw new InvalidOptionsError(
      `Cannot use the option path: expected no parameters but labelSelector and fieldSelector, got ${name}`,
      "path",
    );
  }
  return {
    resource: {
      group: decode(group) ?? "",
      version: decode(core ?? version) ?? "",
      resource: decode(resource) ?? "",
    },
    namespace: decode(namespace),
    labelSelector,
    fieldSelector,
  };
}

function decode(part: string | undefined): string | undefined {
  return part === undefined ? undefined : decodeURIComponent(part);
}

/** Combines two selectors; undefined if both are empty. */
export function joinSelectors(
  one: string | undefined,
  other: string | undefined,
): string | undefined {
  const given = [one, other].filter((selector) => selector !== undefined && selector !== "");
  return given.length === 0 ? undefined : given.join(",");
}
