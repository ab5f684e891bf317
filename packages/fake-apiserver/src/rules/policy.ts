import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { goStruct } from "../base/go-text.ts";
import { objects, text } from "../base/read-fields.ts";
import { forbidden, invalid, invalidShown, required } from "../validation/field-errors.ts";
import { checkLabels, checkLabelSelector } from "../validation/label-selector.ts";
import {
  checkCountOrPercent,
  checkImmutable,
  checkLeast,
  checkListed,
  checkMostPercent,
  checkNotNegative,
  checkText,
  checkWord,
} from "../validation/values.ts";
import { checkDnsLabel } from "../validation/names.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
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
  return [...errors, ...checkWord(field, unhealthyPodEvictionPolicy, policies)];
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
    ...checkListed("preemptionPolicy", preemptionPolicy, ["PreemptLowerPriority", "Never"]),
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
      ...checkLabels("scheduling.nodeSelector", scheduling["nodeSelector"]),
      ...checkTolerations("scheduling.tolerations", objects(scheduling, "tolerations")),
    ];
  },
  {
    first: "check",
    changes: ({ handler }, stored) => checkImmutable("handler", handler, stored["handler"]),
  },
);

/** Rules for ControllerRevisions. */
export const controllerRevisionRules: ObjectRules = rulesOf(
  ({ data, revision }) => [
    ...checkNotNegative("revision", revision),
    ...(isRecord(data) ? [] : [invalid("data", data ?? null, "data is mandatory")]),
  ],
  { changes: ({ data }, stored) => checkImmutable("data", data, stored["data"]) },
);
