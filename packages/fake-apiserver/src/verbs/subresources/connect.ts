import { badRequest, serviceUnavailable } from "../../api/errors.ts";
import { text } from "../../base/read-fields.ts";
import { existingObject } from "../get.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { containerOf } from "./container.ts";

/** A program in a container: there are no nodes that could run one. @throws {ApiError} always */
export async function runInContainer(request: ResourceRequest): Promise<never> {
  const { definition, info, store } = request;
  const { object } = existingObject(definition, store, info);
  containerOf(object, info.query.get("container") ?? "");
  return forwardPorts(request);
}

/** The ports of a pod: there are no nodes that could reach it. @throws {ApiError} always */
export async function forwardPorts({ definition, info, store }: ResourceRequest): Promise<never> {
  const { object, name } = existingObject(definition, store, info);
  if (text(object, "spec", "nodeName") === "") {
    throw badRequest(`pod ${name} does not have a host assigned`);
  }
  throw badRequest(`${info.subresource} is not supported by this server`);
}

/** Requests to a pod, a service or a node: nothing answers there. @throws {ApiError} always */
export async function proxyRequest({ definition, info, store }: ResourceRequest): Promise<never> {
  const { namespace } = info;
  const { name } = existingObject(definition, store, { namespace, name: proxiedName(info.name) });
  if (definition.kind === "Service") {
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  }
  throw serviceUnavailable("error trying to reach service: proxy is not supported by this server");
}

// `name`, `name:port` or `scheme:name:port`: k8s.io/apimachinery `SplitSchemeNamePort`.
function proxiedName(id: string): string {
  const [first = "", second, third] = id.split(":");
  return third === undefined ? first : (second ?? first);
}
