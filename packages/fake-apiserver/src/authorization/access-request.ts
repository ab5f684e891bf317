import type { UserInfo } from "../authentication/user-info.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { parseFieldSelector } from "../selectors/field-selector.ts";
import { SelectorError } from "../selectors/selector-error.ts";

const nameField = "metadata.name";

/** What an authorizer is asked: may the user do that? */
export interface AccessRequest {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create` …; the method in lower case if there is no resource. */
  readonly verb: string;
  /** True if `group` to `name` say what it is about, false for `path`. */
  readonly isResource: boolean;
  readonly path: string;
  /** "" is the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** "" for all namespaces, and for resources without them. */
  readonly namespace: string;
  /** "" for all objects. */
  readonly name: string;
}

/** What an authorizer answers. */
export interface AccessDecision {
  readonly allowed: boolean;
  /** Why, for people. @default no reason is given */
  readonly reason?: string | undefined;
}

/** What a request of a user asks for. */
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
    // A namespace is taken to be in itself.
    namespace: group === "" && resource === "namespaces" ? name : namespace,
    name,
  };
}

/** A request for a path that is no resource, of which only user, verb and path are missing. */
export const noResource = {
  isResource: false,
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
} as const;

// A list or watch of the one object that a field selector names counts as one of that object.
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
    // The list is refused for it, if it may be asked for at all.
    return "";
  }
}
