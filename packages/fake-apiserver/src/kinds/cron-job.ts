import { specDefaults } from "./defaults/fill.ts";
import { cronJobDefaults } from "./defaults/workloads.ts";
import type { ApiObject } from "../api/api-object.ts";
import { field, flag, objects, orNone, text } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { ageOf } from "./duration.ts";
import { templateContainers, workload } from "./workload.ts";
import { cronJobRules } from "../rules/workloads/cron-job.ts";
import { dropFromJobTemplate } from "./disabled-fields.ts";

/** CronJob of batch. */
export const cronJobKind: Kind = defineKind({
  ...workload,
  group: "batch",
  version: "v1",
  kind: "CronJob",
  dropDisabled: dropFromJobTemplate,
  podTemplate: ["spec", "jobTemplate", "spec", "template"],
  defaults: specDefaults(cronJobDefaults),
  rules: cronJobRules,
  shortNames: ["cj"],
  columns: [
    builtinColumn("Schedule", (job) => text(job, "spec", "schedule")),
    builtinColumn("Timezone", (job) => orNone(text(job, "spec", "timeZone"))),
    builtinColumn("Suspend", (job) => (flag(job, "spec", "suspend") ? "True" : "False"), {
      type: "boolean",
    }),
    builtinColumn("Active", (job) => objects(job, "status", "active").length, { type: "integer" }),
    builtinColumn("Last Schedule", lastSchedule),
    ageColumn,
    builtinColumn("Containers", (job) => cronContainers(job, "name"), { wide: true }),
    builtinColumn("Images", (job) => cronContainers(job, "image"), { wide: true }),
    builtinColumn(
      "Selector",
      (job) => orNone(formatLabelSelector(field(job, "spec", "jobTemplate", "spec", "selector"))),
      { wide: true },
    ),
  ],
});

function lastSchedule(job: ApiObject, now: number): string {
  const time = text(job, "status", "lastScheduleTime");
  return time === "" ? "<none>" : ageOf(time, now);
}

function cronContainers(job: ApiObject, name: "name" | "image"): string {
  return templateContainers(field(job, "spec", "jobTemplate"), name);
}
