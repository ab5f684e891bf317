import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { text } from "../../base/read-fields.ts";
import { quantityNanos } from "../../schema/quantity.ts";
import { invalid, notSupported, required } from "../../validation/field-errors.ts";
import { checkQualifiedName } from "../../validation/names.ts";
import { checkText } from "../../validation/values.ts";

// k8s.io/kubernetes pkg/apis/core/pods/helpers.go: `ConvertDownwardAPIFieldLabel`.
const knownPaths = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

/** The fields of a pod that variables may show, in the order in which the server lists them. */
export const environmentPaths: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** The fields of a pod that files may show, in the order in which the server lists them. */
export const filePaths: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** A reference to a field of the pod itself. */
export function checkFieldReference(
  field: string,
  reference: JsonObject,
  allowed: readonly string[],
): readonly FieldError[] {
  const path = text(reference, "fieldPath");
  const apiVersion = text(reference, "apiVersion");
  if (apiVersion === "") return [required(`${field}.apiVersion`)];
  if (path === "") return [required(`${field}.fieldPath`)];
  if (apiVersion !== "v1") {
    const problem = `error converting fieldPath: unsupported pod version: ${apiVersion}`;
    return [invalid(`${field}.fieldPath`, path, problem)];
  }
  // `metadata.labels['key']`
  const [, subscripted = "", key] = /^(.*)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) return checkSubscript(field, path, subscripted, key);
  if (!knownPaths.has(path)) return [unknownPath(field, path)];
  return allowed.includes(path) ? [] : [notSupported(`${field}.fieldPath`, path, allowed)];
}

function checkSubscript(
  field: string,
  path: string,
  subscripted: string,
  key: string,
): readonly FieldError[] {
  if (subscripted === "metadata.annotations") {
    return checkText(field, key.toLowerCase(), checkQualifiedName);
  }
  if (subscripted === "metadata.labels") return checkText(field, key, checkQualifiedName);
  return [unknownPath(field, path)];
}

function unknownPath(field: string, path: string): FieldError {
  const problem = `error converting fieldPath: field label not supported: ${path}`;
  return invalid(`${field}.fieldPath`, path, problem);
}

const resources: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const hugePages = /^(?:limits|requests)\.hugepages-/;
const cpuDivisors = ["1m", "1"];
const byteDivisors = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/**
 * A reference to a request or limit of a container.
 *
 * @param isFile a file has to name the container
 */
export function checkResourceReference(
  field: string,
  reference: JsonObject,
  isFile: boolean,
): readonly FieldError[] {
  const resource = text(reference, "resource");
  const divisor = checkDivisor(field, resource, text(reference, "divisor"));
  if (isFile && text(reference, "containerName") === "") {
    return [required(`${field}.containerName`), ...divisor];
  }
  if (resource === "") return [required(`${field}.resource`), ...divisor];
  if (resources.includes(resource) || hugePages.test(resource)) return divisor;
  return [notSupported(`${field}.resource`, resource, resources), ...divisor];
}

function checkDivisor(field: string, resource: string, divisor: string): readonly FieldError[] {
  if (divisor === "" || quantityNanos(divisor) === 0n) return [];
  const kind = resource.slice(resource.indexOf(".") + 1);
  const at = `${field}.divisor`;
  if (kind === "cpu") {
    const problem = "only divisor's values 1m and 1 are supported with the cpu resource";
    return cpuDivisors.includes(divisor) ? [] : [invalid(at, resource, problem)];
  }
  const named = divisorNames.get(hugePages.test(resource) ? "hugepages" : kind);
  if (named === undefined || byteDivisors.split(", ").includes(divisor)) return [];
  const problem = `only divisor's values ${byteDivisors} are supported with the ${named} resource`;
  return [invalid(at, resource, problem)];
}

const divisorNames: ReadonlyMap<string, string> = new Map([
  ["memory", "memory"],
  ["ephemeral-storage", "local ephemeral storage"],
  ["hugepages", "hugepages"],
]);
