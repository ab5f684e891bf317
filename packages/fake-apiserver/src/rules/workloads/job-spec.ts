import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/field-error.ts";
import { count } from "../../base/read-fields.ts";
import { invalid, required } from "../../validation/field-errors.ts";
import { checkListed } from "../../validation/values.ts";
import { checkPodTemplate } from "../pods/pod-template.ts";
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
// k8s.io/kubernetes pkg/apis/batch/validation: `maxParallelismForIndexedJob`.
const maxIndexedParallelism = 100_000;

/** The spec of a job, also within a CronJob: all but its selector. */
export function checkJobSpec(field: string, spec: JsonObject): readonly FieldError[] {
  const { completionMode, podReplacementPolicy } = spec;
  return [
    ...checkNumbers(field, spec, numbers),
    ...(completionMode === undefined
      ? []
      : checkListed(`${field}.completionMode`, completionMode, ["NonIndexed", "Indexed"])),
    ...(completionMode === "Indexed" ? checkIndexes(field, spec) : checkNoIndexes(field, spec)),
    ...checkReplacement(`${field}.podReplacementPolicy`, podReplacementPolicy, spec),
    ...checkPodTemplate(`${field}.template`, recordOf(spec["template"])),
    ...checkRestartPolicy(`${field}.template.spec.restartPolicy`, spec),
  ];
}

function checkIndexes(field: string, spec: JsonObject): readonly FieldError[] {
  const parallelism = count(spec, "parallelism");
  const errors: FieldError[] = [];
  if (spec["completions"] === undefined) {
    errors.push(required(`${field}.completions`, "when completion mode is Indexed"));
  }
  if (parallelism > maxIndexedParallelism) {
    const limit = `must be less than or equal to ${maxIndexedParallelism}`;
    const problem = `${limit} when completion mode is Indexed`;
    errors.push(invalid(`${field}.parallelism`, parallelism, problem));
  }
  if (spec["maxFailedIndexes"] !== undefined && spec["backoffLimitPerIndex"] === undefined) {
    const problem = "when maxFailedIndexes is specified";
    errors.push(required(`${field}.backoffLimitPerIndex`, problem));
  }
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

function checkRestartPolicy(field: string, spec: JsonObject): readonly FieldError[] {
  const template = recordOf(recordOf(spec["template"])["spec"]);
  const { restartPolicy } = template;
  const errors: FieldError[] = [];
  if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  }
  if (isRecord(spec["podFailurePolicy"]) && restartPolicy !== "Never") {
    const problem = 'only "Never" is supported when podFailurePolicy is specified';
    errors.push(invalid(field, restartPolicy ?? "", problem));
  }
  return errors;
}
