import type { AccessRequest, UserInfo } from "../api/access.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { parseFieldSelector } from "../selectors/field-selector.ts";
import { SelectorError } from "../api/errors.ts";

const nameField = "metadata.name";

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
