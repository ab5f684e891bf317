import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { goStruct } from "../base/go-text.ts";
import { field as valueAt, objects, text, texts } from "../base/read-fields.ts";
import { checkRange, parseRange } from "../validation/addresses.ts";
import { duplicateShown, forbidden, invalid, required } from "../validation/field-errors.ts";
import { checkLabelValue, checkQualifiedName } from "../validation/names.ts";
import { checkLeast, checkListed, checkText } from "../validation/values.ts";
import type { ObjectRules } from "./object-rules.ts";
import { checkQuantity } from "./quantities.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/**
 * Rules for Nodes. The real server checks taints and resources of a changed node twice, which its
 * causes show (pkg/apis/core/validation, `ValidateNode` and `ValidateNodeUpdate`).
 */
export const nodeRules: ObjectRules = {
  create: checkNode,
  update: (node, stored) => [...checkNode(node), ...checkChanged(node, stored)],
  status: checkChanged,
  // k8s.io/kubernetes pkg/registry/core/node/strategy.go, `nodeWarnings`.
  warnings: (node) => {
    const unused = "spec.externalID: this field is deprecated, and is unused by Kubernetes";
    return text(node, "spec", "externalID") === "" ? [] : [unused];
  },
};

function checkNode(node: ApiObject): readonly FieldError[] {
  return [
    ...checkTaints(objects(node, "spec", "taints")),
    ...checkResources(node),
    // The server calls it like this.
    ...checkLeast(
      "metadata.nodeSwapStatus.capacity",
      valueAt(node, "status", "nodeInfo", "swap", "capacity"),
      1,
      "must be greater than zero",
    ),
    ...checkPodRanges(texts(node, "spec", "podCIDRs")),
  ];
}

function checkChanged(node: ApiObject, stored: ApiObject): readonly FieldError[] {
  return [
    ...checkResources(node),
    ...checkAddresses(objects(node, "status", "addresses")),
    ...checkChanges(node, stored),
    ...checkTaints(objects(node, "spec", "taints")),
  ];
}

function checkResources(node: ApiObject): readonly FieldError[] {
  return ["capacity", "allocatable"].flatMap((list) =>
    Object.entries(recordOf(recordOf(node["status"])[list])).flatMap(([name, quantity]) =>
      checkQuantity(`status.${list}.${name}`, quantity, isWholeResource(name)),
    ),
  );
}

// pkg/apis/core/helper: `IsIntegerResourceName`.
const wholeResources = new Set([
  ...["pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
]);

function isWholeResource(name: string): boolean {
  const isExtended = name.includes("/") && !name.includes("kubernetes.io/");
  return wholeResources.has(name) || isExtended;
}

function checkAddresses(addresses: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap((address, index) => {
    const shown = goStruct({ Type: text(address, "type"), Address: text(address, "address") });
    if (seen.has(shown)) return [duplicateShown(`status.addresses[${index}]`, shown)];
    seen.add(shown);
    return [];
  });
}

function checkTaints(taints: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    // Intended: the real server reports this path.
    const field = `metadata.taints[${index}]`;
    const key = text(taint, "key");
    const effect = text(taint, "effect");
    const errors = checkText(`${field}.key`, key, checkQualifiedName);
    errors.push(...checkText(`${field}.value`, text(taint, "value"), checkLabelValue));
    if (effect === "") errors.push(required(`${field}.effect`));
    else errors.push(...checkListed(`${field}.effect`, effect, effects));
    if (seen.has(`${key} ${effect}`)) {
      const detail = "taints must be unique by key and effect pair";
      errors.push(duplicateShown(field, showTaint(taint), detail));
    }
    seen.add(`${key} ${effect}`);
    return errors;
  });
}

function showTaint(taint: JsonObject): string {
  return goStruct({
    Key: text(taint, "key"),
    Value: text(taint, "value"),
    Effect: text(taint, "effect"),
    TimeAdded: taint["timeAdded"] ?? null,
  });
}

function checkPodRanges(ranges: readonly string[]): readonly FieldError[] {
  const field = "spec.podCIDRs";
  const errors = ranges.flatMap((range, index) => checkRange(`${field}[${index}]`, range));
  const families = new Set(ranges.map((range) => parseRange(range)?.address.family));
  if (ranges.length > 1 && (ranges.length > 2 || families.size < 2)) {
    const problem = "may specify no more than one CIDR for each IP family";
    errors.push(invalid(field, ranges, problem));
  }
  return errors;
}

// Values that a node has once are immutable.
function checkChanges(node: ApiObject, stored: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const ranges = texts(stored, "spec", "podCIDRs");
  if (ranges.length > 0 && !isJsonEqual(texts(node, "spec", "podCIDRs"), ranges)) {
    const detail = 'node updates may not change podCIDR except from "" to valid';
    errors.push(forbidden("spec.podCIDRs", detail));
  }
  const provider = text(stored, "spec", "providerID");
  const given = text(node, "spec", "providerID");
  if (provider !== "" && given !== provider) {
    const change = given === "" ? "cleared" : "modified";
    errors.push(invalid("spec.providerID", null, `field cannot be ${change} once set`));
  }
  if (text(node, "spec", "externalID") !== text(stored, "spec", "externalID")) {
    errors.push(forbidden("spec.externalID", "may not be updated"));
  }
  return errors;
}

// k8s.io/kubernetes pkg/api/node/util.go
const deprecatedLabels: ReadonlyMap<string, readonly [release: string, successor: string]> =
  new Map([
    ["beta.kubernetes.io/arch", ["v1.14", "kubernetes.io/arch"]],
    ["beta.kubernetes.io/os", ["v1.14", "kubernetes.io/os"]],
    ["failure-domain.beta.kubernetes.io/region", ["v1.17", "topology.kubernetes.io/region"]],
    ["failure-domain.beta.kubernetes.io/zone", ["v1.17", "topology.kubernetes.io/zone"]],
    ["beta.kubernetes.io/instance-type", ["v1.17", "node.kubernetes.io/instance-type"]],
  ]);

/** Returns the server's warning about a deprecated node label; undefined for any other label. */
export function deprecatedNodeLabel(key: string): string | undefined {
  const found = deprecatedLabels.get(key);
  return found && `deprecated since ${found[0]}; use "${found[1]}" instead`;
}

/** The label that replaces a deprecated one; "" for any other label. */
export function newNodeLabel(key: string): string {
  return deprecatedLabels.get(key)?.[1] ?? "";
}
