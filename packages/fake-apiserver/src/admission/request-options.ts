import type { JsonObject, MutableJsonObject } from "@listwatch/core-fifo/base";
import { isSet, type RequestInfo } from "../input/request-info.ts";

const kinds: Readonly<Record<string, string>> = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
  delete: "DeleteOptions",
  deletecollection: "DeleteOptions",
};

const connected: ReadonlySet<string> = new Set(["attach", "exec", "portforward", "proxy"]);

/** Returns the options of a write that its query sets. */
export function optionsOf({ query, verb }: RequestInfo): JsonObject {
  const options: MutableJsonObject = {
    kind: kinds[verb] ?? "CreateOptions",
    apiVersion: "meta.k8s.io/v1",
  };
  const dryRun = query.getAll("dryRun");
  if (dryRun.length > 0) options["dryRun"] = dryRun;
  for (const name of ["fieldManager", "fieldValidation", "propagationPolicy"]) {
    const value = query.get(name) ?? "";
    if (value !== "") options[name] = value;
  }
  if (query.has("force")) options["force"] = isSet(query, "force");
  return options;
}

/** Whether requests for a subresource open a connection to a pod, service or node. */
export function isConnect({ subresource }: Pick<RequestInfo, "subresource">): boolean {
  return connected.has(subresource);
}
