import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { count, text } from "../../base/read-fields.ts";
import { invalid, invalidShown, invalidStruct, required } from "../../validation/field-errors.ts";
import { checkLabelSelector } from "../../validation/label-selector.ts";
import { checkDnsLabel } from "../../validation/names.ts";
import { checkImmutable } from "../../validation/values.ts";
import type { ObjectRules } from "../object-rules.ts";
import { checkJobSpec } from "./job-spec.ts";
import { checkJobStatus } from "./job-status.ts";
import { checkSelected, selectsTemplate, showSelector } from "./selected-template.ts";
import { checkSelectorKept } from "./selector-change.ts";
import { templateWarnings } from "./template-warnings.ts";

/** The rules of Jobs. */
export const jobRules: ObjectRules = {
  create: (job) => [
    ...checkGenerated(job),
    ...checkSpec(recordOf(job["spec"])),
    ...checkHostNames(job),
  ],
  update: (job, stored) => {
    const spec = recordOf(job["spec"]);
    return [...checkSpec(spec), ...checkHostNames(job), ...checkChange(spec, stored)];
  },
  status: checkJobStatus,
  warnings: templateWarnings,
};

function checkSpec(spec: JsonObject): readonly FieldError[] {
  const { selector } = spec;
  const template = recordOf(spec["template"]);
  const errors: FieldError[] = [...checkJobSpec("spec", spec)];
  // A real server has generated the selector of a missing spec.
  if (isRecord(selector)) errors.push(...checkLabelSelector("spec.selector", selector));
  else errors.push(required("spec.selector"));
  return [...errors, ...checkSelected("spec.template", selector, template)];
}

// The pods of an indexed job have its name and their index for a host name.
function checkHostNames({ metadata: { name = "" }, spec }: ApiObject): readonly FieldError[] {
  const completions = count(spec, "completions");
  if (text(spec, "completionMode") !== "Indexed" || completions <= 0) return [];
  const host = `${name}-${completions - 1}`;
  if (checkDnsLabel(host).length === 0) return [];
  const problem = `will not able to create pod with invalid DNS label: ${host}`;
  return [invalid("metadata.name", name, problem)];
}

// A selector that the server makes is one that only its own pods have.
function checkGenerated(job: ApiObject): readonly FieldError[] {
  const spec = recordOf(job["spec"]);
  const { manualSelector, selector } = spec;
  if (manualSelector === true || !isRecord(selector)) return [];
  const { name = "", uid = "" } = job.metadata;
  const expected: JsonObject = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
  const labels = recordOf(recordOf(recordOf(spec["template"])["metadata"])["labels"]);
  const errors = Object.entries(expected).flatMap(([key, value]): FieldError[] => {
    const field = `spec.template.metadata.labels[${key}]`;
    const problem = `must be '${String(value)}'`;
    if (labels[key] === undefined) return [required(field, problem)];
    return labels[key] === value ? [] : [invalid(field, labels, problem)];
  });
  if (!selectsTemplate(selector, { metadata: { labels: expected } })) {
    const problem = "`selector` not auto-generated";
    errors.push(invalidShown("spec.selector", showSelector(selector), problem));
  }
  return errors;
}

const immutable = [
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
];

function checkChange(spec: JsonObject, { spec: old, status }: ApiObject): readonly FieldError[] {
  const stored = recordOf(old);
  const template = withFreeTemplate(spec, stored, recordOf(status));
  return [
    ...checkCompletions(spec, stored),
    ...checkSelectorKept(spec, stored),
    ...checkTemplateKept(template, stored["template"]),
    ...immutable.flatMap((name) => checkImmutable(`spec.${name}`, spec[name], stored[name])),
  ];
}

function checkTemplateKept(template: unknown, stored: unknown): readonly FieldError[] {
  const problem = "field is immutable";
  return isJsonEqual(template, stored)
    ? []
    : [invalidStruct("spec.template", "PodTemplateSpec", recordOf(template), problem)];
}

// An indexed job may be made larger or smaller as a whole.
function checkCompletions(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  const { completions } = spec;
  const field = "spec.completions";
  const isIndexed = spec["completionMode"] === "Indexed" && completions !== undefined;
  if (!isIndexed) return checkImmutable(field, completions, stored["completions"]);
  if (completions === stored["completions"]) return [];
  const isWhole = [spec, stored].every(
    (one) => count(one, "completions") === count(one, "parallelism"),
  );
  return isWhole
    ? []
    : [invalid(field, completions, "can only be modified in tandem with spec.parallelism")];
}

const schedulingFields = ["nodeSelector", "tolerations", "affinity", "schedulingGates"];

// A suspended job that has not started may still choose where it runs.
function withFreeTemplate(spec: JsonObject, stored: JsonObject, status: JsonObject): unknown {
  const { template } = spec;
  const isWaiting = stored["suspend"] === true && status["startTime"] === undefined;
  if (!isWaiting || !isRecord(template)) return template;
  const old = recordOf(stored["template"]);
  const oldSpec = recordOf(old["spec"]);
  const kept = Object.fromEntries(schedulingFields.map((name) => [name, oldSpec[name]]));
  const munged = {
    ...template,
    metadata: old["metadata"],
    spec: { ...recordOf(template["spec"]), ...kept },
  };
  return isJsonEqual(munged, old) ? old : template;
}
