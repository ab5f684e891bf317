import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { exceedsBytes } from "../../base/go-text.ts";
import { count, text } from "../../base/read-fields.ts";
import { invalid, required, tooLong } from "../../validation/field-errors.ts";
import { checkDnsSubdomain } from "../../validation/names.ts";
import { checkListed, checkText } from "../../validation/values.ts";
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
    ...checkFailedIndexes(field, spec),
    ...(completionMode === "Indexed" ? checkIndexes(field, spec) : checkNoIndexes(field, spec)),
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
  const { maxFailedIndexes } = spec;
  const completions = count(spec, "completions");
  if (spec["completions"] !== undefined && count(spec, "maxFailedIndexes") > completions) {
    const problem = "must be less than or equal to completions";
    errors.push(invalid(`${field}.maxFailedIndexes`, maxFailedIndexes, problem));
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

// k8s.io/apimachinery util/validation, `IsDomainPrefixedPath`; pkg/apis/batch/validation.
const maxManager = 63;

function checkManager(field: string, manager: unknown): readonly FieldError[] {
  if (typeof manager !== "string") return [];
  if (manager === "") return [required(field)];
  const slash = manager.indexOf("/");
  const [domain, path] = [manager.slice(0, slash), manager.slice(slash + 1)];
  const errors =
    slash < 1 || path === ""
      ? [invalid(field, manager, `must be a domain-prefixed path (such as "acme.io/foo")`)]
      : checkText(field, domain, checkDnsSubdomain);
  if (exceedsBytes(manager, maxManager)) errors.push(tooLong(field, maxManager));
  return errors;
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
