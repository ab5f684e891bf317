import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { exceedsBytes } from "../../base/go-text.ts";
import { count, text } from "../../base/read-fields.ts";
import { invalid, required, tooLong } from "../../validation/field-errors.ts";
import { checkDomainPath, checkListed } from "../../validation/values.ts";
import { checkPodTemplate } from "../pods/pod-template.ts";
import { checkFailurePolicy, checkSuccessPolicy } from "./job-policies.ts";
import { checkNumbers } from "./numbers.ts";

const numbers = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];
// k8s.io/kubernetes pkg/apis/batch/validation: limits of an indexed job, and of one with more
// completions than the first number.
const mostIndexed = 100_000;
const mostOfMany = 10_000;

/** The spec of a job, also within a CronJob: all but its selector. */
export function checkJobSpec(field: string, spec: JsonObject): readonly FieldError[] {
  const { completionMode, podReplacementPolicy } = spec;
  return [
    ...checkNumbers(field, spec, numbers),
    ...(completionMode === undefined
      ? []
      : checkListed(`${field}.completionMode`, completionMode, ["NonIndexed", "Indexed"])),
    ...checkFailedIndexes(field, spec),
    ...checkMode(field, spec),
    ...(isRecord(spec["podFailurePolicy"])
      ? checkFailurePolicy(`${field}.podFailurePolicy`, spec)
      : []),
    ...(isRecord(spec["successPolicy"]) ? checkSuccessPolicy(`${field}.successPolicy`, spec) : []),
    ...checkManager(`${field}.managedBy`, spec["managedBy"]),
    ...checkReplacement(`${field}.podReplacementPolicy`, podReplacementPolicy, spec),
    ...checkPodTemplate(`${field}.template`, recordOf(spec["template"])),
    ...checkRestartPolicy(`${field}.template.spec.restartPolicy`, spec),
  ];
}

function checkFailedIndexes(field: string, spec: JsonObject): readonly FieldError[] {
  if (spec["maxFailedIndexes"] === undefined || spec["backoffLimitPerIndex"] !== undefined) {
    return [];
  }
  return [required(`${field}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")];
}

function checkMode(field: string, spec: JsonObject): readonly FieldError[] {
  const { completionMode = "NonIndexed" } = spec;
  if (completionMode === "Indexed") return checkIndexes(field, spec);
  return completionMode === "NonIndexed" ? checkNoIndexes(field, spec) : [];
}

function checkIndexes(field: string, spec: JsonObject): readonly FieldError[] {
  const { backoffLimitPerIndex, completions, maxFailedIndexes } = spec;
  const errors: FieldError[] = [];
  const limit = (name: string, most: unknown, shown: string): void => {
    const value = spec[name];
    if (typeof value !== "number" || typeof most !== "number" || value <= most) return;
    errors.push(invalid(`${field}.${name}`, value, `must be less than or equal to ${shown}`));
  };
  if (completions === undefined) {
    errors.push(required(`${field}.completions`, "when completion mode is Indexed"));
  }
  limit("parallelism", mostIndexed, `${mostIndexed} when completion mode is Indexed`);
  limit("maxFailedIndexes", completions, "completions");
  limit("maxFailedIndexes", mostIndexed, String(mostIndexed));
  if (count(spec, "completions") <= mostIndexed || backoffLimitPerIndex === undefined) {
    return errors;
  }
  const isMany = `completions are above ${mostIndexed} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) {
    const detail = `must be specified when completions is above ${mostIndexed}`;
    errors.push(required(`${field}.maxFailedIndexes`, detail));
  }
  limit("parallelism", mostOfMany, `${mostOfMany} when ${isMany}`);
  limit("maxFailedIndexes", mostOfMany, `${mostOfMany} when ${isMany}`);
  return errors;
}

function checkNoIndexes(field: string, spec: JsonObject): readonly FieldError[] {
  return ["backoffLimitPerIndex", "maxFailedIndexes"].flatMap((name) =>
    spec[name] === undefined
      ? []
      : [invalid(`${field}.${name}`, spec[name], "requires indexed completion mode")],
  );
}

function checkReplacement(field: string, policy: unknown, spec: JsonObject): readonly FieldError[] {
  if (policy === undefined) return [];
  const policies = isRecord(spec["podFailurePolicy"])
    ? ["Failed"]
    : ["Failed", "TerminatingOrFailed"];
  return checkListed(field, policy, policies);
}

// pkg/apis/batch/validation: `maxManagedByLength`.
const maxManager = 63;

function checkManager(field: string, manager: unknown): readonly FieldError[] {
  if (typeof manager !== "string") return [];
  const errors = checkDomainPath(field, manager);
  return exceedsBytes(manager, maxManager) ? [...errors, tooLong(field, maxManager)] : errors;
}

const finite = ["OnFailure", "Never"];

function checkRestartPolicy(field: string, spec: JsonObject): readonly FieldError[] {
  const template = recordOf(recordOf(spec["template"])["spec"]);
  const policy = text(template, "restartPolicy");
  if (policy === "" || policy === "Always") {
    return [required(field, 'valid values: "OnFailure", "Never"')];
  }
  if (!finite.includes(policy)) return checkListed(field, policy, finite);
  if (!isRecord(spec["podFailurePolicy"]) || policy === "Never") return [];
  return [invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
