import type { JsonObject, MutableJsonObject } from "@listwatch/core-fifo/base";
import type { DeleteOptions } from "../input/delete-options.ts";
import { isSet, type RequestInfo } from "../input/request-info.ts";

const kinds: Readonly<Record<string, string>> = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
  delete: "DeleteOptions",
  deletecollection: "DeleteOptions",
};

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

/**
 * Returns the options of a write as webhooks see them: those of a patch are the options of the
 * create or update that it amounts to. Null for a connect.
 */
export function reviewedOptionsOf(info: RequestInfo, operation: string): JsonObject | null {
  if (operation === "CONNECT") return null;
  const { force: _force, ...options } = optionsOf(info);
  return { ...options, kind: operation === "UPDATE" ? "UpdateOptions" : "CreateOptions" };
}

/** Returns the options of a delete as webhooks see them. */
export function deleteOptionsOf(options: DeleteOptions): JsonObject {
  const { dryRun, gracePeriodSeconds, propagationPolicy, resourceVersion, uid } = options;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
}
