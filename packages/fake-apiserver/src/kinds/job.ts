import type { ApiObject } from "../api/resource-definition.ts";
import { count, field, objects, orNone, text } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { ageOf, humanDuration } from "./duration.ts";
import { templateDoc, conditionsDoc } from "./workload-docs.ts";
import { templateContainers, workload } from "./workload.ts";

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
  selectableFields: [{ path: "status.successful", zero: "0" }],
  columns: [
    builtinColumn("Status", "Status of the job.", jobStatus),
    builtinColumn(
      "Completions",
      "Number of successfully completed pods, out of the desired ones.",
      completions,
    ),
    builtinColumn("Duration", "Time required to complete the job.", jobDuration),
    ageColumn,
    builtinColumn(
      "Containers",
      "Names of each container in the template.",
      (job) => templateContainers(job, "name"),
      { wide: true },
    ),
    builtinColumn(
      "Images",
      "Images referenced by each container in the template.",
      (job) => templateContainers(job, "image"),
      { wide: true },
    ),
    builtinColumn(
      "Selector",
      "A label query over pods that should match the pod count.",
      (job) => orNone(formatLabelSelector(field(job, "spec", "selector"))),
      { wide: true },
    ),
  ],
  docs: {
    "batch.Job": {
      description: "Job runs pods until a number of them has succeeded.",
      fields: {
        spec: ["batch.JobSpec", "The desired behaviour of the job."],
        status: ["batch.JobStatus", "The current state of the job."],
      },
    },
    "batch.JobSpec": {
      description: "JobSpec describes how the job is executed.",
      fields: {
        template: templateDoc,
        completions: ["integer", "Number of pods that have to succeed."],
        parallelism: ["integer", "Number of pods that may run at the same time."],
        backoffLimit: ["integer", "Number of retries before the job has failed. Defaults to 6."],
        activeDeadlineSeconds: ["integer", "Seconds the job may be active."],
        ttlSecondsAfterFinished: ["integer", "Seconds after its end at which the job is deleted."],
        suspend: ["boolean", "Whether the job is suspended."],
        completionMode: ["string", "NonIndexed (default) or Indexed."],
        selector: [
          "meta.LabelSelector",
          "The pods that belong to the job; normally chosen by the system.",
        ],
        manualSelector: ["boolean", "Whether the selector was chosen by the user."],
      },
      required: ["template"],
    },
    "batch.JobStatus": {
      description: "JobStatus is the current state of a job.",
      fields: {
        active: ["integer", "Number of pending and running pods."],
        succeeded: ["integer", "Number of pods that have succeeded."],
        failed: ["integer", "Number of pods that have failed."],
        ready: ["integer", "Number of ready pods."],
        startTime: ["time", "When the job was started."],
        completionTime: ["time", "When the job was completed."],
        conditions: conditionsDoc,
      },
    },
  },
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
