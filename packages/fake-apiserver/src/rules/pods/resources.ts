import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { compareBytes } from "../../base/go-text.ts";
import { memoized, objects, text } from "../../base/read-fields.ts";
import { quantityNanos } from "../../schema/quantity.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
} from "../../validation/field-errors.ts";
import { checkDnsLabel } from "../../validation/names.ts";
import { checkText } from "../../validation/values.ts";
import { checkResourceName } from "../quantities.ts";

// k8s.io/kubernetes pkg/apis/core/helper/helpers.go: `standardContainerResources`.
const ofContainers = new Set(["cpu", "memory", "ephemeral-storage"]);
// The same file: `standardResources`. Names of quotas are not names of containers' resources.
const standard = new Set([
  ...ofContainers,
  ...[...ofContainers].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);
const hugePages = "hugepages-";
const nanosPerUnit = 1_000_000_000n;

/**
 * The resources of a container.
 *
 * @param claims names of the pod's claims
 */
export function checkResources(
  field: string,
  resources: JsonObject,
  claims: ReadonlySet<string>,
): readonly FieldError[] {
  const limits = recordOf(resources["limits"]);
  const requests = recordOf(resources["requests"]);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const errors = [
    ...checkQuantities(`${field}.limits`, limits),
    ...checkQuantities(`${field}.requests`, requests, (name) =>
      checkRequest(field, name, requests, limits),
    ),
  ];
  const hasHugePages = names.some(isHugePages);
  if (hasHugePages && !names.includes("cpu") && !names.includes("memory")) {
    errors.push(forbidden(field, "HugePages require cpu or memory"));
  }
  return [...errors, ...checkClaims(`${field}.claims`, objects(resources, "claims"), claims)];
}

/**
 * The resources of a pod as a whole: it has no claims, and only some resources.
 *
 * @param claims names of the pod's claims
 */
export function checkPodResources(
  field: string,
  resources: JsonObject,
  claims: ReadonlySet<string>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (objects(resources, "claims").length > 0) {
    const detail = "claims may not be set for Resources at pod-level";
    errors.push(forbidden(`${field}.claims`, detail));
  }
  return [...errors, ...checkResources(field, resources, claims)];
}

/**
 * Quantities of resources a container may have.
 *
 * @param compare checks the quantity of a name against others
 */
export function checkQuantities(
  field: string,
  quantities: JsonObject,
  compare: (name: string) => readonly FieldError[] = () => [],
): FieldError[] {
  return Object.keys(quantities).flatMap((name) => {
    const at = `${field}[${name}]`;
    const quantity = text(quantities, name);
    const pages = isHugePages(name) ? checkPages(at, name, quantity) : [];
    return checkContainerResource(at, name).concat(
      checkQuantity(at, name, quantity),
      compare(name),
      pages,
    );
  });
}

// pkg/apis/core/helper: `IsHugePageResourceValueDivisible`.
function checkPages(field: string, name: string, quantity: string): readonly FieldError[] {
  const size = quantityNanos(name.slice(hugePages.length)) ?? 0n;
  const isWhole = size > 0n && size % nanosPerUnit === 0n;
  if (isWhole && (quantityNanos(quantity) ?? 0n) % size === 0n) return [];
  const problem = `${quantity} is not positive integer multiple of ${name}`;
  return [invalid(field, quantity, problem)];
}

/** The name of a resource of any object. */
export function checkStandardResource(field: string, name: string): FieldError[] {
  return checkResourceName(field, name, (one) => standard.has(one) || isHugePages(one));
}

/** The name of a resource of a container. */
export function checkContainerResource(field: string, name: string): FieldError[] {
  const errors = checkStandardResource(field, name);
  const isFull = name.includes("/");
  if (!isFull && !ofContainers.has(name) && !isHugePages(name)) {
    errors.push(invalid(field, name, "must be a standard resource for containers"));
  } else if (isFull && !isNative(name) && !isExtended(name)) {
    errors.push(invalid(field, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

function checkQuantity(field: string, name: string, quantity: string): readonly FieldError[] {
  // Reading a quantity is the most expensive part of checking a pod.
  if (!quantity.startsWith("-") && !isExtended(name)) return [];
  const nanos = quantityNanos(quantity) ?? 0n;
  const errors: FieldError[] = [];
  if (nanos < 0n) errors.push(invalid(field, quantity, "must be greater than or equal to 0"));
  if (isExtended(name) && nanos % nanosPerUnit !== 0n) {
    errors.push(invalid(field, quantity, "must be an integer"));
  }
  return errors;
}

function checkRequest(
  field: string,
  name: string,
  requests: JsonObject,
  limits: JsonObject,
): readonly FieldError[] {
  const isExact = isExactResource(name);
  const request = text(requests, name);
  const limit = limits[name];
  if (typeof limit !== "string") {
    const problem = "Limit must be set for non overcommitable resources";
    return isExact ? [required(`${field}.limits`, problem)] : [];
  }
  if (limit === request) return [];
  const difference = (quantityNanos(request) ?? 0n) - (quantityNanos(limit) ?? 0n);
  const relation =
    isExact && difference !== 0n ? "equal" : difference > 0n ? "less than or equal" : "";
  if (relation === "") return [];
  return [
    invalid(`${field}.requests`, request, `must be ${relation} to ${name} limit of ${limit}`),
  ];
}

// pkg/apis/core/validation: `validateResourceClaimNames`.
function checkClaims(
  field: string,
  used: readonly JsonObject[],
  claims: ReadonlySet<string>,
): readonly FieldError[] {
  const seen = new Set<string>();
  // Distinct requests of each claim.
  const requests = new Map<string, number>();
  return used.flatMap((claim, index) => {
    const at = `${field}[${index}]`;
    const name = text(claim, "name");
    const request = text(claim, "request");
    if (name === "") return [required(at)];
    const errors: FieldError[] = [];
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      if (request !== "") errors.push(...checkText(`${at}.request`, request, checkDnsLabel));
      const key = `${name}/${request}`;
      if (request !== "" && seen.has(key)) errors.push(duplicate(at, key));
      // The whole claim is used, and so are its requests.
      const length = request === "" ? (requests.get(name) ?? 0) : 0;
      errors.push(...Array.from({ length }, () => duplicate(at, name)));
      if (request !== "" && !seen.has(key)) requests.set(name, (requests.get(name) ?? 0) + 1);
      seen.add(request === "" ? name : key);
    }
    if (!claims.has(name)) errors.push(unknownClaim(at, name, claims));
    return errors;
  });
}

const claimNames = memoized((claims: ReadonlySet<string>) =>
  [...claims].toSorted(compareBytes).join(", "),
);

function unknownClaim(at: string, name: string, claims: ReadonlySet<string>): FieldError {
  const known = claimNames(claims);
  const rule = "must be one of the names in pod.spec.resourceClaims";
  const { message, ...error } = notFound(at, name);
  return {
    ...error,
    message: `${message}: ${rule}${known === "" ? " which is empty" : `: ${known}`}`,
  };
}

/** Whether what runs may not use more of a resource than it asks for. */
export function isExactResource(name: string): boolean {
  return isHugePages(name) || !isNative(name);
}

function isHugePages(name: string): boolean {
  return name.startsWith(hugePages);
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.");
}
