import type { StatusDetails } from "../api/api-object.ts";
import { ApiError } from "../api/api-error.ts";
import { groupResource } from "../api/registry.ts";
import { goQuote } from "../base/go-text.ts";
import type { AccessRequest } from "../api/access.ts";

/**
 * Creates the 403 error of a request that its user may not send.
 *
 * @param reason the authorizer's explanation, or ""
 */
export function accessDenied(request: AccessRequest, reason: string): ApiError {
  const message = messageOf(request) + (reason === "" ? "" : `: ${reason}`);
  const details = detailsOf(request);
  return new ApiError({ code: 403, reason: "Forbidden", message, details, noSniff: true });
}

function messageOf(request: AccessRequest): string {
  const { group, isResource, name, namespace, path, resource, subresource, user, verb } = request;
  const subject = `User ${goQuote(user.username)} cannot ${verb}`;
  if (!isResource) return `forbidden: ${subject} path ${goQuote(path)}`;
  const object = groupResource({ group, plural: resource }) + (name && ` ${goQuote(name)}`);
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where =
    namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(namespace)}`;
  return (
    `${object} is forbidden: ${subject} resource ${goQuote(what)} ` +
    `in API group ${goQuote(group)} ${where}`
  );
}

function detailsOf({ group, isResource, name, resource }: AccessRequest): StatusDetails {
  if (!isResource) return {};
  return {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    kind: resource,
  };
}
