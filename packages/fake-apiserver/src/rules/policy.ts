import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { goStruct } from "../base/go-text.ts";
import { objects, repeatedIndexes, text } from "../base/read-fields.ts";
import { duplicateShown, forbidden, invalidShown, required } from "../validation/field-errors.ts";
import { checkLabels, checkLabelSelector } from "../validation/label-selector.ts";
import {
  checkChoice,
  checkCountOrPercent,
  checkImmutable,
  checkLeast,
  checkListed,
  checkMostPercent,
  checkNotNegative,
  checkText,
} from "../validation/values.ts";
import { checkDnsLabel } from "../validation/names.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkResources } from "./pods/resources.ts";
import { checkTolerations } from "./pods/scheduling.ts";

/** Rules for PodDisruptionBudgets. */
export const disruptionBudgetRules: ObjectRules = rulesOf(
  (budget) => checkBudget(recordOf(budget["spec"])),
  {
    status: (budget) =>
      ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"].flatMap((name) =>
        checkNotNegative(`status.${name}`, recordOf(budget["status"])[name]),
      ),
  },
);

function checkBudget(spec: JsonObject): readonly FieldError[] {
  const { maxUnavailable, minAvailable, selector, unhealthyPodEvictionPolicy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = goStruct({
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    });
    errors.push(invalidShown("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const name of ["minAvailable", "maxUnavailable"]) {
    const field = `spec.${name}`;
    errors.push(...checkCountOrPercent(field, spec[name]), ...checkMostPercent(field, spec[name]));
  }
  errors.push(...checkLabelSelector("spec.selector", selector));
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  const field = "spec.unhealthyPodEvictionPolicy";
  return [...errors, ...checkChoice(field, unhealthyPodEvictionPolicy, policies)];
}

// pkg/apis/scheduling: `HighestUserDefinablePriority`, and the classes above it.
const highestPriority = 1_000_000_000;
const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** Rules for PriorityClasses. Updates are only checked for their changes. */
export const priorityClassRules: ObjectRules = {
  create: ({ metadata, preemptionPolicy, value }) => [
    ...checkPriority(metadata.name ?? "", value),
    ...(preemptionPolicy === ""
      ? [required("preemptionPolicy")]
      : checkListed("preemptionPolicy", preemptionPolicy, ["PreemptLowerPriority", "Never"])),
  ],
  update: ({ preemptionPolicy, value }, stored) => [
    ...((value ?? 0) === (stored["value"] ?? 0)
      ? []
      : [forbidden("value", "may not be changed in an update.")]),
    ...checkImmutable("preemptionPolicy", preemptionPolicy, stored["preemptionPolicy"]),
  ],
};

function checkPriority(name: string, value: unknown): readonly FieldError[] {
  if (name.startsWith("system-")) {
    const expected = systemClasses.get(name);
    if (expected === value) return [];
    const why =
      expected === undefined
        ? `${name} is not a known system priority class`
        : `value of ${name} PriorityClass must be ${expected}`;
    const rule = "priority class names with 'system-' prefix are reserved for system use only";
    return [forbidden("metadata.name", `${rule}. error: ${why}`)];
  }
  if (typeof value !== "number" || value <= highestPriority) return [];
  const detail = `maximum allowed value of a user defined priority is ${highestPriority}`;
  return [forbidden("value", detail)];
}

/** Rules for Leases. */
export const leaseRules: ObjectRules = rulesOf((lease) => {
  const { leaseDurationSeconds, leaseTransitions } = recordOf(lease["spec"]);
  return [
    ...checkLeast("spec.leaseDurationSeconds", leaseDurationSeconds, 1, "must be greater than 0"),
    ...checkNotNegative("spec.leaseTransitions", leaseTransitions),
  ];
});

/** Rules for RuntimeClasses. */
export const runtimeClassRules: ObjectRules = rulesOf(
  (runtimeClass) => {
    const handler = text(runtimeClass, "handler");
    const scheduling = recordOf(runtimeClass["scheduling"]);
    return [
      ...(handler === "" ? [required("handler")] : checkText("handler", handler, checkDnsLabel)),
      ...checkResources(
        "overhead",
        { limits: recordOf(runtimeClass["overhead"])["podFixed"] },
        new Set(),
      ),
      ...checkLabels("scheduling.nodeSelector", scheduling["nodeSelector"]),
      ...checkTolerations("scheduling.tolerations", objects(scheduling, "tolerations")),
      ...checkRepeatedTolerations(objects(scheduling, "tolerations")),
    ];
  },
  {
    first: "check",
    changes: ({ handler }, stored) => checkImmutable("handler", handler, stored["handler"]),
  },
);

// The seconds of a toleration do not make it another one.
function checkRepeatedTolerations(tolerations: readonly JsonObject[]): readonly FieldError[] {
  const keys = tolerations.map((one) =>
    JSON.stringify(["key", "operator", "value", "effect"].map((name) => text(one, name))),
  );
  const repeated = repeatedIndexes(keys);
  return tolerations.flatMap((one, index) => {
    if (!repeated.has(index)) return [];
    const shown = goStruct({
      Key: text(one, "key"),
      Operator: text(one, "operator"),
      Value: text(one, "value"),
      Effect: text(one, "effect"),
      TolerationSeconds: one["tolerationSeconds"] ?? null,
    });
    return [duplicateShown(`scheduling.tolerations[${index}]`, shown)];
  });
}

/** Rules for ControllerRevisions. */
export const controllerRevisionRules: ObjectRules = {
  create: ({ data, revision }) => [
    ...checkNotNegative("revision", revision),
    ...(isRecord(data) ? [] : [required("data", dataProblem(data))]),
  ],
  update: ({ data, revision }, stored) => [
    ...checkNotNegative("revision", revision),
    ...checkImmutable("data", data, stored["data"]),
  ],
};

function dataProblem(data: unknown): string {
  return data === undefined || data === null
    ? "data is mandatory"
    : "data must be a valid JSON object";
}
