import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { count, objects, text } from "../../base/read-fields.ts";
import { invalid, invalidShown, invalidStruct, required } from "../../validation/field-errors.ts";
import { checkLabelSelector } from "../../validation/label-selector.ts";
import { checkDnsLabel } from "../../validation/names.ts";
import { checkImmutable } from "../../validation/values.ts";
import type { ObjectRules } from "../object-rules.ts";
import { withNodeAffinity } from "../pods/pod-update.ts";
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
  const problems = checkLabelSelector("spec.selector", selector);
  if (problems.length > 0) return [...errors, ...problems];
  if (!isRecord(selector)) errors.push(required("spec.selector"));
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

const immutable = ["completionMode", "backoffLimitPerIndex", "managedBy"];
// Immutable parts, and their types.
const immutableParts: readonly (readonly [name: string, type: string])[] = [
  ["podFailurePolicy", "PodFailurePolicy"],
  ["successPolicy", "SuccessPolicy"],
];

function checkChange(spec: JsonObject, { spec: old, status }: ApiObject): readonly FieldError[] {
  const stored = recordOf(old);
  return [
    ...checkCompletions(spec, stored),
    ...checkSelectorKept(spec, stored),
    ...checkTemplateKept(spec, stored, recordOf(status)),
    ...immutable.flatMap((name) => checkImmutable(`spec.${name}`, spec[name], stored[name])),
    ...immutableParts.flatMap(([name, type]) => {
      const errors = checkImmutable(`spec.${name}`, spec[name], stored[name]);
      const part = spec[name];
      if (errors.length === 0 || !isRecord(part)) return errors;
      return [invalidStruct(`spec.${name}`, type, part, "field is immutable")];
    }),
  ];
}

// A suspended job without pods may still choose where its pods run and what they may use.
function checkTemplateKept(
  spec: JsonObject,
  stored: JsonObject,
  status: JsonObject,
): readonly FieldError[] {
  const problem = "field is immutable";
  const template = recordOf(spec["template"]);
  const old = recordOf(stored["template"]);
  if (!isAtRest(stored, status)) {
    return isJsonEqual(template, old)
      ? []
      : [invalidStruct("spec.template", "PodTemplateSpec", template, problem)];
  }
  const [podSpec, oldSpec] = [recordOf(template["spec"]), recordOf(old["spec"])];
  return isJsonEqual(withFreeFields(podSpec, oldSpec), oldSpec)
    ? []
    : [invalidStruct("spec.template.spec", "PodSpec", podSpec, problem)];
}

function isAtRest({ suspend }: JsonObject, status: JsonObject): boolean {
  if (suspend !== true || count(status, "active") > 0) return false;
  return (
    status["startTime"] === undefined ||
    objects(status, "conditions").some(
      ({ status: state, type }) => type === "Suspended" && state === "True",
    )
  );
}

// An indexed job may be made larger or smaller as a whole.
function checkCompletions(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  const { completions } = spec;
  const field = "spec.completions";
  if (spec["completionMode"] !== "Indexed")
    return checkImmutable(field, completions, stored["completions"]);
  // Its absence is reported already.
  if (completions === undefined || completions === stored["completions"]) return [];
  return completions === spec["parallelism"]
    ? []
    : [invalid(field, completions, "can only be modified in tandem with spec.parallelism")];
}

const freeFields = ["nodeSelector", "tolerations", "schedulingGates"];

// The spec of pods with the stored values of what may change. Of the affinity, that is the part
// about nodes.
function withFreeFields(spec: JsonObject, stored: JsonObject): JsonObject {
  const kept = Object.fromEntries(freeFields.map((name) => [name, stored[name]]));
  const affinity = withNodeAffinity(spec["affinity"], stored["affinity"]);
  const lists = ["containers", "initContainers"].flatMap((list) => {
    const [now, before] = [objects(spec, list), objects(stored, list)];
    if (now.length === 0 || now.length !== before.length) return [];
    return [[list, now.map((one, index) => withResources(one, before[index]))] as const];
  });
  return { ...spec, ...kept, affinity, ...Object.fromEntries(lists) };
}

function withResources(container: JsonObject, stored: JsonObject = {}): JsonObject {
  const isSame = container["name"] === stored["name"];
  return isSame ? { ...container, resources: stored["resources"] } : container;
}
