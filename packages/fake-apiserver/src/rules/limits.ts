import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { textOf } from "../base/go-text.ts";
import { objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import { duplicate, forbidden, invalid, required } from "../validation/field-errors.ts";
import { checkQualifiedName } from "../validation/names.ts";
import { checkImmutable, checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import {
  checkContainerResource,
  checkStandardResource,
  isExactResource,
} from "./pods/resources.ts";
import { checkQuantity, checkResourceName, nanosOf } from "./quantities.ts";

/** Rules for LimitRanges. */
export const limitRangeRules: ObjectRules = rulesOf((range) => {
  const limits = objects(range, "spec", "limits");
  const repeated = repeatedIndexes(limits.map((limit) => text(limit, "type")));
  return limits.flatMap((limit, index) => {
    const field = `spec.limits[${index}]`;
    const type = text(limit, "type");
    const errors = repeated.has(index) ? [duplicate(`${field}.type`, type)] : [];
    errors.push(...checkLimit(field, limit, type));
    return errors;
  });
});

/** Rules for ResourceQuotas. */
export const resourceQuotaRules: ObjectRules = rulesOf(checkQuota, {
  first: "check",
  changes: (quota, stored) => {
    const scopes = texts(quota, "spec", "scopes");
    const before = texts(stored, "spec", "scopes");
    return isJsonEqual(scopes, before) ? [] : checkImmutable("spec.scopes", scopes, before);
  },
  status: (quota) => [
    ...checkHard("status.hard", recordOf(recordOf(quota["status"])["hard"])),
    ...checkHard("status.used", recordOf(recordOf(quota["status"])["used"])),
  ],
});

const boundNames = ["min", "max", "default", "defaultRequest", "maxLimitRequestRatio"] as const;
const limitTypes = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

function checkLimit(field: string, limit: JsonObject, type: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  errors.push(...checkText(`${field}.type`, type, checkQualifiedName));
  if (errors.length === 0 && !type.includes("/") && !limitTypes.has(type)) {
    const problem = "must be a standard limit type or fully qualified";
    errors.push(invalid(`${field}.type`, type, problem));
  }
  if (type === "Pod") {
    for (const name of ["default", "defaultRequest"]) {
      if (Object.keys(recordOf(limit[name])).length === 0) continue;
      errors.push(forbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (type === "PersistentVolumeClaim" && !isStorageBounded(limit)) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    errors.push(required(`${field}.limits`, detail));
  }
  const { default: _most, defaultRequest: _wanted, ...others } = limit;
  const bounds = type === "Pod" ? others : limit;
  const ofContainers = type === "Pod" || type === "Container";
  const checkName = ofContainers ? checkContainerResource : checkStandardResource;
  const keys = new Set<string>();
  for (const name of boundNames) {
    for (const key of Object.keys(recordOf(bounds[name]))) {
      errors.push(...checkName(`${field}.${name}[${key}]`, key));
      keys.add(key);
    }
  }
  for (const key of keys) {
    errors.push(...checkBounds(field, bounds, key), ...checkRatio(field, bounds, key));
  }
  return errors;
}

function isStorageBounded(limit: JsonObject): boolean {
  return ["min", "max"].some((name) => recordOf(limit[name])["storage"] !== undefined);
}

/** Two bounds of which the first may not be above the second; the first is shown at `at`. */
interface Order {
  readonly low: (typeof boundNames)[number];
  readonly high: (typeof boundNames)[number];
  readonly at: (typeof boundNames)[number];
  readonly shown: "low" | "high" | "min";
  readonly words: readonly [string, string];
}

// In the order, and with the values, of pkg/apis/core/validation `ValidateLimitRange`.
const orders: readonly Order[] = [
  { low: "min", high: "max", at: "min", shown: "low", words: ["min", "max"] },
  {
    low: "min",
    high: "defaultRequest",
    at: "defaultRequest",
    shown: "high",
    words: ["min", "default request"],
  },
  {
    low: "defaultRequest",
    high: "max",
    at: "defaultRequest",
    shown: "low",
    words: ["default request", "max"],
  },
  {
    low: "defaultRequest",
    high: "default",
    at: "defaultRequest",
    shown: "low",
    words: ["default request", "default limit"],
  },
  { low: "min", high: "default", at: "default", shown: "low", words: ["min", "default"] },
  { low: "default", high: "max", at: "default", shown: "high", words: ["default", "max"] },
];

function checkBounds(field: string, limit: JsonObject, key: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const { at, high, low, shown, words } of orders) {
    const least = recordOf(limit[low])[key];
    const most = recordOf(limit[high])[key];
    if (least === undefined || most === undefined || nanosOf(least) <= nanosOf(most)) continue;
    const [left, right] = words;
    const problem = `${left} value ${textOf(least)} is greater than ${right} value ${textOf(most)}`;
    errors.push(invalid(`${field}.${at}[${key}]`, shown === "high" ? most : least, problem));
  }
  const most = recordOf(limit["default"])[key];
  const wanted = recordOf(limit["defaultRequest"])[key];
  const hasBoth = most !== undefined && wanted !== undefined;
  if (hasBoth && isExactResource(key) && nanosOf(most) !== nanosOf(wanted)) {
    const [limited, asked] = [textOf(most), textOf(wanted)];
    const same = `must equal to defaultRequest value ${asked} in ${key}`;
    const problem = `default value ${limited} ${same}`;
    errors.push(invalid(`${field}.defaultRequest[${key}]`, wanted, problem));
  }
  return errors;
}

function checkRatio(field: string, limit: JsonObject, key: string): readonly FieldError[] {
  const at = `${field}.maxLimitRequestRatio[${key}]`;
  const [ratio, min, max] = ["maxLimitRequestRatio", "min", "max"].map(
    (name) => recordOf(limit[name])[key],
  );
  if (ratio === undefined) return [];
  const shown = `ratio ${textOf(ratio)} is`;
  const nanos = Number(nanosOf(ratio));
  const errors = nanos < 1e9 ? [invalid(at, ratio, `${shown} less than 1`)] : [];
  if (min === undefined || max === undefined) return errors;
  const most = Number(nanosOf(max)) / Number(nanosOf(min));
  if (nanos / 1e9 <= most || Number.isNaN(most)) return errors;
  return [...errors, invalid(at, ratio, `${shown} greater than max/min = ${most.toFixed(6)}`)];
}

// pkg/apis/core/helper: what a quota may count, and what of it is counted in whole numbers.
const countedResources = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const computeResources = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
]);
const otherResources = new Set(["requests.storage", "storage"]);

function isQuotaResource(name: string): boolean {
  return (
    countedResources.has(name) ||
    computeResources.has(name) ||
    otherResources.has(name) ||
    /^(?:requests\.)?hugepages-/.test(name)
  );
}

function checkQuota(quota: ApiObject): readonly FieldError[] {
  const spec = recordOf(quota["spec"]);
  const hard = recordOf(spec["hard"]);
  return [
    ...checkHard("spec.hard", hard),
    ...checkScopes(texts(spec, "scopes"), Object.keys(hard)),
  ];
}

function checkHard(field: string, hard: JsonObject): readonly FieldError[] {
  return Object.entries(hard).flatMap(([name, quantity]) => {
    const path = `${field}[${name}]`;
    const errors = checkResourceName(path, name, isQuotaResource);
    if (!name.includes("/") && !isQuotaResource(name)) {
      errors.push(invalid(path, name, "must be a standard resource for quota"));
    }
    errors.push(...checkQuantity(path, quantity, countedResources.has(name)));
    return errors;
  });
}

const scopeConflicts: readonly (readonly [string, string])[] = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];
const quotaScopes = new Set([
  ...scopeConflicts.flat(),
  "PriorityClass",
  "CrossNamespacePodAffinity",
  "VolumeAttributesClass",
]);

function checkScopes(scopes: readonly string[], names: readonly string[]): readonly FieldError[] {
  const field = "spec.scopes";
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (!quotaScopes.has(scope)) {
      errors.push(invalid(field, scopes, "unsupported scope"));
      continue;
    }
    for (const name of names) {
      if (!isQuotaResource(name) || isCountedIn(scope, name)) continue;
      errors.push(invalid(field, scopes, "unsupported scope applied to resource"));
    }
  }
  for (const [one, other] of scopeConflicts) {
    if (!scopes.includes(one) || !scopes.includes(other)) continue;
    errors.push(invalid(field, scopes, "conflicting scopes"));
  }
  return errors;
}

// Pods of no guaranteed quality ask for nothing, so only their number can be limited.
function isCountedIn(scope: string, name: string): boolean {
  if (name === "pods") return true;
  if (scope === "BestEffort") return false;
  if (scope === "VolumeAttributesClass") {
    return name === "persistentvolumeclaims" || name === "requests.storage";
  }
  return computeResources.has(name);
}
