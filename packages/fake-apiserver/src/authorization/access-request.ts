import type { UserInfo } from "../authentication/user-info.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { parseFieldSelector } from "../selectors/field-selector.ts";
import { SelectorError } from "../selectors/selector-error.ts";

const nameField = "metadata.name";

/** An action of a user that an authorizer decides on. */
export interface AccessRequest {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create` …; without a resource, the HTTP method in lower case. */
  readonly verb: string;
  /** True if `group` to `name` describe the request, false if `path` does. */
  readonly isResource: boolean;
  readonly path: string;
  /** "" is the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** "" for all namespaces and for cluster-scoped resources. */
  readonly namespace: string;
  /** "" for all objects. */
  readonly name: string;
}

/** Decision of an authorizer. */
export interface AccessDecision {
  readonly allowed: boolean;
  /** Explanation for people. @default none */
  readonly reason?: string | undefined;
}

/** Returns the action that a request of a user needs permission for. */
export function accessRequest(info: RequestInfo, user: UserInfo): AccessRequest {
  const { group, isResource, namespace, path, resource, subresource, version } = info;
  if (!isResource) return { ...noResource, user, verb: info.method.toLowerCase(), path };
  const name = info.name === "" ? selectedName(info) : info.name;
  return {
    user,
    verb: info.verb === "" ? info.method.toLowerCase() : info.verb,
    isResource,
    path,
    group,
    version,
    resource,
    subresource,
    // A Namespace object counts as inside itself.
    namespace: group === "" && resource === "namespaces" ? name : namespace,
    name,
  };
}

/** Members of a request for a path that is not a resource, except user, verb and path. */
export const noResource = {
  isResource: false,
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
} as const;

// A list or watch that a field selector limits to one name is authorized for that name.
function selectedName({ query, verb }: RequestInfo): string {
  if (verb !== "list" && verb !== "watch") return "";
  const selector = query.get("fieldSelector") ?? "";
  if (!selector.includes(nameField)) return "";
  try {
    const isName = ({ field, operator }: { field: string; operator: string }): boolean =>
      field === nameField && operator === "=";
    return parseFieldSelector(selector).requirements.find(isName)?.value ?? "";
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    // The request fails later because of the selector, if it is authorized at all.
    return "";
  }
}
