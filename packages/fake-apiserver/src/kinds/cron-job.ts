import type { ApiObject } from "../api/resource-definition.ts";
import { field, flag, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { ageOf } from "./duration.ts";
import { templateContainers, workload } from "./workload.ts";

/** CronJob of batch. */
export const cronJobKind: Kind = defineKind({
  ...workload,
  group: "batch",
  version: "v1",
  kind: "CronJob",
  shortNames: ["cj"],
  columns: [
    builtinColumn(
      "Schedule",
      "The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.",
      (job) => text(job, "spec", "schedule"),
    ),
    builtinColumn("Timezone", "The time zone name for the given schedule.", (job) =>
      orNone(text(job, "spec", "timeZone")),
    ),
    builtinColumn(
      "Suspend",
      "This flag tells the controller to suspend subsequent executions.",
      (job) => (flag(job, "spec", "suspend") ? "True" : "False"),
    ),
    builtinColumn(
      "Active",
      "A list of pointers to currently running jobs.",
      (job) => objects(job, "status", "active").length,
      { type: "integer" },
    ),
    builtinColumn(
      "Last Schedule",
      "Information when was the last time the job was successfully scheduled.",
      lastSchedule,
    ),
    ageColumn,
    builtinColumn(
      "Containers",
      "Names of each container in the template.",
      (job) => cronContainers(job, "name"),
      { wide: true },
    ),
    builtinColumn(
      "Images",
      "Images referenced by each container in the template.",
      (job) => cronContainers(job, "image"),
      { wide: true },
    ),
  ],
  docs: {
    "batch.CronJob": {
      description: "CronJob creates jobs on a schedule.",
      fields: {
        spec: ["batch.CronJobSpec", "The desired behaviour of the cron job."],
        status: ["batch.CronJobStatus", "The current state of the cron job."],
      },
    },
    "batch.CronJobSpec": {
      description: "CronJobSpec describes when jobs are created, and which.",
      fields: {
        schedule: ["string", "The schedule in Cron format."],
        timeZone: ["string", "The time zone of the schedule."],
        jobTemplate: ["batch.JobTemplateSpec", "The job to create."],
        suspend: ["boolean", "Whether no more jobs are created."],
        concurrencyPolicy: ["string", "Allow (default), Forbid or Replace."],
        startingDeadlineSeconds: ["integer", "Seconds by which a job may start late."],
        successfulJobsHistoryLimit: [
          "integer",
          "Number of successful jobs to keep. Defaults to 3.",
        ],
        failedJobsHistoryLimit: ["integer", "Number of failed jobs to keep. Defaults to 1."],
      },
      required: ["schedule", "jobTemplate"],
    },
    "batch.JobTemplateSpec": {
      description: "JobTemplateSpec describes the job to create.",
      fields: {
        metadata: ["meta.ObjectMeta", "The metadata of the jobs."],
        spec: ["batch.JobSpec", "The desired behaviour of the jobs."],
      },
    },
    "batch.CronJobStatus": {
      description: "CronJobStatus is the current state of a cron job.",
      fields: {
        active: ["[]object", "References to the jobs that are running."],
        lastScheduleTime: ["time", "When a job was created last."],
        lastSuccessfulTime: ["time", "When a job succeeded last."],
      },
    },
  },
});

function lastSchedule(job: ApiObject, now: number): string {
  const time = text(job, "status", "lastScheduleTime");
  return time === "" ? "<none>" : ageOf(time, now);
}

function cronContainers(job: ApiObject, name: "name" | "image"): string {
  return templateContainers(field(job, "spec", "jobTemplate"), name);
}
