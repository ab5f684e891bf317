import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import { jobDefaults, templateLabels } from "./defaults/workloads.ts";
import { specDefaults } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, orNone, text } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { ageOf, humanDuration } from "./duration.ts";
import { templateContainers, workload } from "./workload.ts";
import { jobRules } from "../rules/workloads/job.ts";
import { dropFromJob } from "./disabled-fields.ts";

const finalConditions: readonly (readonly [string, string])[] = [
  ["Complete", "Complete"],
  ["Failed", "Failed"],
  ["Suspended", "Suspended"],
  ["FailureTarget", "FailureTarget"],
  ["SuccessCriteriaMet", "SuccessCriteriaMet"],
];

/** Job of batch. */
export const jobKind: Kind = defineKind({
  ...workload,
  group: "batch",
  version: "v1",
  kind: "Job",
  dropDisabled: dropFromJob,
  podTemplate: ["spec", "template"],
  dependents: "kept",
  orphanWarning:
    "child pods are preserved by default when jobs are deleted; set " +
    "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress " +
    "this warning",
  defaults: jobWithDefaults,
  rules: jobRules,
  strategy: () => ({ prepareForCreate: withSelector }),
  selectableFields: [{ path: "status.successful", zero: "0" }],
  columns: [
    builtinColumn("Status", jobStatus),
    builtinColumn("Completions", completions),
    builtinColumn("Duration", jobDuration),
    ageColumn,
    builtinColumn("Containers", (job) => templateContainers(job, "name"), { wide: true }),
    builtinColumn("Images", (job) => templateContainers(job, "image"), { wide: true }),
    builtinColumn(
      "Selector",
      (job) => orNone(formatLabelSelector(field(job, "spec", "selector"))),
      { wide: true },
    ),
  ],
});

function jobStatus(job: ApiObject): string {
  const conditions = objects(job, "status", "conditions");
  const isTrue = (type: string): boolean =>
    conditions.some(
      (condition) => text(condition, "type") === type && text(condition, "status") === "True",
    );
  const final = finalConditions.find(([type]) => isTrue(type));
  if (final !== undefined && ["Complete", "Failed"].includes(final[0])) return final[1];
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  return final?.[1] ?? "Running";
}

function completions(job: ApiObject): string {
  const succeeded = count(job, "status", "succeeded");
  const wanted = field(job, "spec", "completions");
  if (typeof wanted === "number") return `${succeeded}/${wanted}`;
  const parallelism = count(job, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ApiObject, now: number): string {
  const start = text(job, "status", "startTime");
  if (start === "") return "";
  const end = text(job, "status", "completionTime");
  return end === "" ? ageOf(start, now) : humanDuration(Date.parse(end) - Date.parse(start));
}

// A job without labels has those of its pods: the same map, as in Go.
function jobWithDefaults(job: ApiObject): ApiObject {
  const filled = specDefaults(jobDefaults)(job);
  const found = templateLabels(recordOf(filled["spec"]));
  if (filled.metadata.labels !== undefined || found === undefined) return filled;
  return { ...filled, metadata: { ...filled.metadata, labels: stringMap(found) } };
}

// pkg/registry/batch/job/strategy.go: `generateSelector`.
function withSelector(job: ApiObject): ApiObject {
  const { metadata } = job;
  const spec = recordOf(job["spec"]);
  if (spec["manualSelector"] === true) return job;
  const { name = "", uid = "" } = metadata;
  // Values of the client stay; the rules of jobs refuse those that do not fit.
  const labels: Record<string, string> = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
    ...stringsOf(templateLabels(spec)),
  };
  const selector = recordOf(spec["selector"]);
  const matchLabels = {
    "batch.kubernetes.io/controller-uid": uid,
    ...recordOf(selector["matchLabels"]),
  };
  const template = recordOf(spec["template"]);
  const isShared = metadata.labels === undefined || metadata.labels === templateLabels(spec);
  const own = isShared ? labels : metadata.labels;
  return {
    ...job,
    metadata: { ...metadata, labels: own },
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...recordOf(template["metadata"]), labels } },
    },
  };
}

function stringsOf(labels: unknown): Record<string, string> {
  const strings: Record<string, string> = {};
  for (const [key, value] of Object.entries(recordOf(labels))) strings[key] = String(value);
  return strings;
}

// The same object, whose values are strings in every template that was decoded.
function stringMap(labels: JsonObject): Record<string, string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return labels as Record<string, string>;
}
