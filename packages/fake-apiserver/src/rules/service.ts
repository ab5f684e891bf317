import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import {
  count,
  field as valueAt,
  objects,
  repeatedIndexes,
  text,
  texts,
} from "../base/read-fields.ts";
import { checkAddress, checkRange, checkReachable, parseAddress } from "../validation/addresses.ts";
import { duplicate, forbidden, invalid, required } from "../validation/field-errors.ts";
import { checkLabels } from "../validation/label-selector.ts";
import { checkDnsSubdomain, checkQualifiedName } from "../validation/names.ts";
import {
  checkChoice,
  checkImmutable,
  checkListed,
  checkPort,
  checkText,
  checkWord,
} from "../validation/values.ts";
import { checkLoadBalancerStatus } from "./load-balancer-status.ts";
import type { ObjectRules } from "./object-rules.ts";
import { checkServicePorts } from "./service-ports.ts";

// pkg/apis/core: `MaxClientIPServiceAffinitySeconds`, a day.
const maxAffinitySeconds = 86_400;
const onlyLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
const notExternalName = "may not be set for ExternalName services";
const sourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";
const oldHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";
const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

const ipFamilies = ["IPv4", "IPv6"];

/** Rules for Services. */
export const serviceRules: ObjectRules = {
  create: (service) => checkWhole(service, undefined),
  update: checkWhole,
  status: checkStatus,
  warnings: warningsOf,
};

// Addresses and families are checked before any address is allocated. If they are wrong, the server
// reports nothing more.
function checkWhole(service: ApiObject, stored: ApiObject | undefined): readonly FieldError[] {
  const spec = recordOf(service["spec"]);
  const errors = [...checkClusterAddresses(spec), ...checkFamilies(spec)];
  if (errors.length > 0) return errors;
  return [
    ...(stored === undefined ? [] : checkChanges(spec, recordOf(stored["spec"]))),
    ...checkServicePorts(spec),
    ...checkType(spec),
    ...checkLabels("spec.selector", spec["selector"]),
    ...checkAffinity(spec),
    ...checkExternalAddresses(spec),
    ...checkSourceRanges(service, stored),
    ...checkLoadBalancer(spec),
    ...checkTrafficPolicies(spec),
  ];
}

function checkType(spec: JsonObject): readonly FieldError[] {
  const { type } = spec;
  const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
  const errors = checkWord("spec.type", type, types, "required");
  if (type === "ExternalName") return [...errors, ...checkExternalName(spec)];
  const isHeadless = text(spec, "clusterIP") === "None";
  if (isHeadless && (type === "LoadBalancer" || type === "NodePort")) {
    const problem = `may not be set to 'None' for ${type} services`;
    errors.push(invalid("spec.clusterIPs[0]", "None", problem));
  }
  return errors;
}

function checkExternalName(spec: JsonObject): readonly FieldError[] {
  const name = text(spec, "externalName").replace(/\.$/, "");
  const errors =
    name === ""
      ? [required("spec.externalName")]
      : checkText("spec.externalName", name, checkDnsSubdomain);
  if (texts(spec, "clusterIPs").length > 0) {
    errors.push(forbidden("spec.clusterIPs", notExternalName));
  }
  if (texts(spec, "ipFamilies").length > 0) {
    errors.push(forbidden("spec.ipFamilies", notExternalName));
  }
  if (spec["ipFamilyPolicy"] !== undefined) {
    errors.push(forbidden("spec.ipFamilyPolicy", notExternalName));
  }
  return errors;
}

function checkAffinity(spec: JsonObject): readonly FieldError[] {
  const { sessionAffinity, sessionAffinityConfig } = spec;
  const field = "spec.sessionAffinity";
  const errors = checkWord(field, sessionAffinity, ["ClientIP", "None"], "required");
  if (sessionAffinity === "None" && sessionAffinityConfig !== undefined) {
    errors.push(forbidden(`${field}Config`, "must not be set when session affinity is None"));
  }
  if (sessionAffinity !== "ClientIP") return errors;
  const path = `${field}Config.clientIP`;
  if (!isRecord(valueAt(sessionAffinityConfig, "clientIP"))) {
    return [...errors, required(path, "when session affinity type is ClientIP")];
  }
  const seconds = count(sessionAffinityConfig, "clientIP", "timeoutSeconds");
  if (seconds > 0 && seconds <= maxAffinitySeconds) return errors;
  const problem = `must be greater than 0 and less than ${maxAffinitySeconds}`;
  return [...errors, invalid(`${path}.timeoutSeconds`, seconds, problem)];
}

function checkClusterAddresses(spec: JsonObject): readonly FieldError[] {
  if (spec["type"] === "ExternalName") return [];
  const addresses = texts(spec, "clusterIPs");
  const field = "spec.clusterIPs";
  const errors: FieldError[] = [];
  const clusterIp = text(spec, "clusterIP");
  if (addresses[0] !== undefined && addresses[0] !== clusterIp) {
    const problem =
      clusterIp === ""
        ? "must be empty when `clusterIP` is not specified"
        : "first value must match `clusterIP`";
    errors.push(invalid(field, addresses, problem));
  }
  if (addresses.length > 2) errors.push(invalid(field, addresses, "may only hold up to 2 values"));
  if (addresses[0] === "None") {
    if (addresses.length > 1) {
      errors.push(invalid(field, addresses, "'None' must be the first and only value"));
    }
    return errors;
  }
  errors.push(
    ...addresses.flatMap((address, index) => checkAddress(`${field}[${index}]`, address)),
  );
  // An address of a family that there is not has been given one of another.
  const areKnown = texts(spec, "ipFamilies").every((family) => ipFamilies.includes(family));
  if (errors.length === 0 && areKnown && haveOneFamily(addresses)) {
    errors.push(invalid(field, addresses, "may specify no more than one IP for each IP family"));
  }
  return errors;
}

function haveOneFamily(addresses: readonly string[]): boolean {
  const [first, second] = addresses.map((address) => parseAddress(address)?.family);
  return second !== undefined && first === second;
}

function checkFamilies(spec: JsonObject): readonly FieldError[] {
  if (spec["type"] === "ExternalName") return [];
  const families = texts(spec, "ipFamilies");
  const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
  const { ipFamilyPolicy: policy } = spec;
  const field = "spec.ipFamilyPolicy";
  const errors = checkChoice(field, policy, policies);
  const addresses = texts(spec, "clusterIPs");
  // Families that were filled in from addresses repeat their error.
  const repeated = repeatedIndexes(haveOneFamily(addresses) ? [] : families);
  for (const [index, family] of families.entries()) {
    const at = `spec.ipFamilies[${index}]`;
    const unknown = checkListed(at, family, ipFamilies);
    errors.push(...unknown);
    if (repeated.has(index)) errors.push(duplicate(at, family));
    if (unknown.length > 0) continue;
    const address = addresses[index] ?? "";
    const actual = parseAddress(address)?.family ?? family;
    if (actual === family) continue;
    const problem = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(`spec.clusterIPs[${index}]`, address, problem));
  }
  return errors;
}

function checkExternalAddresses(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of texts(spec, "externalIPs").entries()) {
    const field = `spec.externalIPs[${index}]`;
    const problems = checkAddress(field, address);
    errors.push(...(problems.length > 0 ? problems : checkReachable(field, address)));
  }
  return errors;
}

// The ranges are those of the field, or else those of the annotation that was there before it.
function checkSourceRanges(
  service: ApiObject,
  stored: ApiObject | undefined,
): readonly FieldError[] {
  const ranges = texts(service, "spec", "loadBalancerSourceRanges");
  const annotation = service.metadata.annotations?.[sourceRanges];
  const isBalanced = text(service, "spec", "type") === "LoadBalancer";
  if (ranges.length > 0) {
    const field = "spec.LoadBalancerSourceRanges";
    const known = texts(stored, "spec", "loadBalancerSourceRanges").map((range) => range.trim());
    const errors = isBalanced ? [] : [forbidden(field, onlyLoadBalancers)];
    for (const [index, range] of ranges.map((one) => one.trim()).entries()) {
      if (!known.includes(range)) errors.push(...checkRange(`${field}[${index}]`, range));
    }
    return errors;
  }
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${sourceRanges}]`;
  const errors = isBalanced ? [] : [forbidden(field, onlyLoadBalancers)];
  const isKept = stored?.metadata.annotations?.[sourceRanges] === annotation;
  if (isKept || annotation.trim() === "") return errors;
  return [...errors, ...annotation.split(",").flatMap((range) => checkRange(field, range.trim()))];
}

function checkLoadBalancer(spec: JsonObject): readonly FieldError[] {
  const { allocateLoadBalancerNodePorts, loadBalancerClass, type } = spec;
  const errors: FieldError[] = [];
  if (typeof loadBalancerClass === "string") {
    errors.push(...checkText("spec.loadBalancerClass", loadBalancerClass, checkQualifiedName));
  }
  if (type === "LoadBalancer") return errors;
  if (allocateLoadBalancerNodePorts !== undefined) {
    errors.push(forbidden("spec.allocateLoadBalancerNodePorts", onlyLoadBalancers));
  }
  if (loadBalancerClass !== undefined) {
    errors.push(forbidden("spec.loadBalancerClass", onlyLoadBalancers));
  }
  return errors;
}

function checkTrafficPolicies(spec: JsonObject): readonly FieldError[] {
  const { externalTrafficPolicy, internalTrafficPolicy } = spec;
  const policies = ["Cluster", "Local"];
  const errors = checkChoice("spec.internalTrafficPolicy", internalTrafficPolicy, policies);
  const { trafficDistribution } = spec;
  if (trafficDistribution !== undefined) {
    errors.push(...checkListed("spec.trafficDistribution", trafficDistribution, distributions));
  }
  if (isReachedFromOutside(spec)) {
    const field = "spec.externalTrafficPolicy";
    errors.push(...checkWord(field, externalTrafficPolicy, policies, "required"));
  } else if (externalTrafficPolicy !== undefined) {
    const problem = "may only be set for externally-accessible services";
    errors.push(invalid("spec.externalTrafficPolicy", externalTrafficPolicy, problem));
  }
  const isChecked = isHealthChecked(spec);
  const port = count(spec, "healthCheckNodePort");
  if (port === 0) return errors;
  if (isChecked) return [...errors, ...checkPort("spec.healthCheckNodePort", port)];
  const problem =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [...errors, invalid("spec.healthCheckNodePort", port, problem)];
}

/** Whether traffic from outside of the cluster reaches a service. */
export function isReachedFromOutside(spec: JsonObject): boolean {
  const { type } = spec;
  if (type === "LoadBalancer" || type === "NodePort") return true;
  return type === "ClusterIP" && texts(spec, "externalIPs").length > 0;
}

/** Whether a service has a port that says whether a node has pods of it. */
export function isHealthChecked(spec: JsonObject): boolean {
  return spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
}

// The first address and the first family stay; a service may get or lose a second one.
function checkChanges(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  if (spec["type"] === "ExternalName" || stored["type"] === "ExternalName") return [];
  const errors: FieldError[] = [];
  for (const name of ["clusterIPs", "ipFamilies"]) {
    const [before] = texts(stored, name);
    const after = texts(spec, name);
    if (before === undefined || after[0] === undefined || before === after[0]) continue;
    errors.push(invalid(`spec.${name}[0]`, after, "may not change once set"));
  }
  if (
    isHealthChecked(spec) &&
    isHealthChecked(stored) &&
    spec["healthCheckNodePort"] !== stored["healthCheckNodePort"]
  ) {
    errors.push(forbidden("spec.healthCheckNodePort", "field is immutable"));
  }
  const isBalanced = spec["type"] === "LoadBalancer" && stored["type"] === "LoadBalancer";
  const { loadBalancerClass } = spec;
  const field = "spec.loadBalancerClass";
  if (
    !isBalanced ||
    checkImmutable(field, loadBalancerClass, stored["loadBalancerClass"])[0] === undefined
  ) {
    return errors;
  }
  return [...errors, invalid(field, loadBalancerClass ?? null, "may not change once set")];
}

function checkStatus(service: ApiObject): readonly FieldError[] {
  const field = "status.loadBalancer.ingress";
  const ingress = objects(service, "status", "loadBalancer", "ingress");
  if (ingress.length > 0 && text(service, "spec", "type") !== "LoadBalancer") {
    return [forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return checkLoadBalancerStatus(field, ingress);
}

// pkg/api/service/warnings.go
function warningsOf(service: ApiObject): readonly string[] {
  const spec = recordOf(service["spec"]);
  const warnings: string[] = [];
  if (service.metadata.annotations?.[oldHints] !== undefined) {
    warnings.push(`annotation ${oldHints} is deprecated, please use ${topologyMode} instead`);
  }
  const hasExternal = texts(spec, "externalIPs").length > 0;
  const isExternalName = spec["type"] === "ExternalName";
  const isHeadless = spec["type"] === "ClusterIP" && text(spec, "clusterIP") === "None";
  const ignored: readonly (readonly [name: string, isGiven: boolean])[] = [
    ["loadBalancerIP", text(spec, "loadBalancerIP") !== ""],
    ["externalIPs", hasExternal],
    ["SessionAffinity", spec["sessionAffinity"] !== "None"],
  ];
  for (const [name, isGiven] of isHeadless ? ignored : []) {
    if (isGiven) warnings.push(`spec.${name} is ignored for headless services`);
  }
  if (hasExternal) {
    warnings.push(
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    );
  }
  if (isExternalName && hasExternal) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!isExternalName && text(spec, "externalName") !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec["trafficDistribution"] === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
