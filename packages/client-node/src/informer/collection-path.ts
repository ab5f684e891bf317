import type { ResourceReference } from "@listwatch/client";
import { createInvalidOptionError } from "@listwatch/core-fifo/base";
import { standIn } from "./other-path.ts";

/** A collection of an API server, and the selectors for it. */
export interface CollectionAddress {
  readonly resource: ResourceReference;
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  /** Replaces the path of the resource; `undefined` if that is the path. */
  readonly otherPath: string | undefined;
}

const form =
  /^\/(?:api\/(?<core>[^/]+)|apis\/(?<group>[^/]+)\/(?<version>[^/]+))(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)\/?$/;

/** Parameters that the informer sets itself. */
const ownParameters: readonly string[] = [
  "allowWatchBookmarks",
  "continue",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "timeoutSeconds",
  "watch",
];

/**
 * Reads the path of a collection, such as `/api/v1/namespaces/shop/pods` or
 * `/apis/apps/v1/deployments?labelSelector=app%3Dweb`. Any other path is requested as it is, and so
 * are parameters that are not known here.
 *
 * @throws {InvalidOptionsError} if it does not start with a slash
 */
export function parseCollectionPath(path: string): CollectionAddress {
  if (typeof path !== "string" || !path.startsWith("/")) {
    const example = "the path of a collection, such as /api/v1/namespaces/default/pods";
    throw createInvalidOptionError("path", example, path);
  }
  const [before = "", query = ""] = path.split("?", 2);
  const parameters = new URLSearchParams(query);
  const labelSelector = parameters.get("labelSelector") ?? undefined;
  const fieldSelector = parameters.get("fieldSelector") ?? undefined;
  for (const name of [...ownParameters, "labelSelector", "fieldSelector"]) parameters.delete(name);
  const selectors = { labelSelector, fieldSelector };
  const { core, group, namespace, resource, version } = form.exec(before)?.groups ?? {};
  const parts = [group, core ?? version, resource, namespace].map(decode);
  const isKnown = resource !== undefined && !parts.includes(undecodable);
  if (!isKnown || parameters.size > 0) {
    const otherPath = parameters.size === 0 ? before : `${before}?${parameters.toString()}`;
    return { resource: standIn, namespace: undefined, ...selectors, otherPath };
  }
  return {
    resource: { group: parts[0] ?? "", version: parts[1] ?? "", resource: parts[2] ?? "" },
    namespace: parts[3],
    ...selectors,
    otherPath: undefined,
  };
}

/** Contains a slash, which no part of a path does. */
const undecodable = "/";

function decode(part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  try {
    const decoded = decodeURIComponent(part);
    return isSegment(decoded) ? decoded : undecodable;
  } catch {
    return undecodable;
  }
}

/** Whether the client accepts a name as a segment of a path. */
function isSegment(name: string): boolean {
  return name !== "." && name !== ".." && !/[/%]/.test(name);
}

/** Combines two selectors; undefined if both are empty. */
export function joinSelectors(
  one: string | undefined,
  other: string | undefined,
): string | undefined {
  const given = [one, other].filter((selector) => selector !== undefined && selector !== "");
  return given.length === 0 ? undefined : given.join(",");
}
