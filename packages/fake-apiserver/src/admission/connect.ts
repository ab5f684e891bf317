import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import type { Steps } from "../base/steps.ts";
import { isSet, type RequestInfo } from "../input/request-info.ts";
import type { RequestAdmission } from "./request-admission.ts";

const objectsOfKind: Readonly<Record<string, string>> = {
  nodes: "Node",
  pods: "Pod",
  services: "Service",
};
const streams = ["stdin", "stdout", "stderr", "tty"] as const;

/**
 * Asks the admission whether a client may connect to a pod, service or node. The object of such a
 * request is its options.
 *
 * @throws {ApiError} if it is refused
 */
export function* checkConnect(admission: RequestAdmission, info: RequestInfo): Steps<void> {
  const { kind, ...options } = connectOptions(info);
  const object = { ...options, metadata: {} };
  const view = {
    group: "",
    version: "v1",
    kind,
    show: ({ metadata: _metadata, ...shown }: JsonObject): JsonObject =>
      isRecord(shown) ? { kind, apiVersion: "v1", ...shown } : {},
  };
  yield* admission.shownAs(view).check({ operation: "CONNECT", object, oldObject: undefined });
}

// The fields in Go's order; k8s.io/api core/v1: PodExecOptions and those beside it.
function connectOptions({ query, resource, rest, subresource }: RequestInfo): {
  readonly kind: string;
  readonly [field: string]: unknown;
} {
  const options: MutableJsonObject = {};
  if (subresource === "portforward") {
    const ports = query.getAll("ports").flatMap((value) => value.split(",").map(Number));
    return { kind: "PodPortForwardOptions", ...(ports.length > 0 && { ports }) };
  }
  if (subresource === "proxy") {
    const kind = `${objectsOfKind[resource] ?? "Pod"}ProxyOptions`;
    return { kind, ...(rest.length > 0 && { path: `/${rest.join("/")}` }) };
  }
  for (const name of streams) {
    // Output is on unless the query turns it off: k8s.io/kubernetes pkg/apis/core/v1/defaults.go.
    const isDefault = name === "stdout" || name === "stderr";
    if (query.has(name) ? isSet(query, name) : isDefault) options[name] = true;
  }
  const container = query.get("container") ?? "";
  if (container !== "") options["container"] = container;
  if (subresource === "attach") return { kind: "PodAttachOptions", ...options };
  return { kind: "PodExecOptions", ...options, command: query.getAll("command") };
}
