import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { ageOf, humanDuration } from "./duration.ts";
import type { JsonObject } from "../base/json.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
import { count, field, flag, objects, orNone, text } from "../base/read-fields.ts";
import { templateContainers } from "./columns-workload.ts";

/** What `kubectl get jobs` shows. */
export const jobColumns: readonly PrinterColumn[] = [
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
];

const FINAL_CONDITIONS: readonly (readonly [string, string])[] = [
  ["Complete", "Complete"],
  ["Failed", "Failed"],
  ["Suspended", "Suspended"],
  ["FailureTarget", "FailureTarget"],
  ["SuccessCriteriaMet", "SuccessCriteriaMet"],
];

function jobStatus(job: ApiObject): string {
  const conditions = objects(job, "status", "conditions");
  const isTrue = (type: string): boolean =>
    conditions.some(
      (condition) => text(condition, "type") === type && text(condition, "status") === "True",
    );
  const final = FINAL_CONDITIONS.find(([type]) => isTrue(type));
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

/** What `kubectl get cronjobs` shows. */
export const cronJobColumns: readonly PrinterColumn[] = [
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
];

function lastSchedule(job: ApiObject, now: number): string {
  const time = text(job, "status", "lastScheduleTime");
  return time === "" ? "<none>" : ageOf(time, now);
}

function cronContainers(job: ApiObject, name: "name" | "image"): string {
  return templateContainers(field(job, "spec", "jobTemplate"), name);
}

/** What `kubectl get horizontalpodautoscalers` shows. */
export const autoscalerColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Reference",
    "The workload that is scaled.",
    (object) =>
      `${text(object, "spec", "scaleTargetRef", "kind")}/${text(object, "spec", "scaleTargetRef", "name")}`,
  ),
  builtinColumn("Targets", "The current and the target value of each metric.", targets),
  builtinColumn("MinPods", "The lower limit for the number of replicas.", (object) => {
    const least = field(object, "spec", "minReplicas");
    return typeof least === "number" ? String(least) : "<unset>";
  }),
  builtinColumn("MaxPods", "The upper limit for the number of replicas.", (object) =>
    count(object, "spec", "maxReplicas"),
  ),
  builtinColumn("Replicas", "The current number of replicas.", (object) =>
    count(object, "status", "currentReplicas"),
  ),
  ageColumn,
];

function targets(object: ApiObject): string {
  const metrics = objects(object, "spec", "metrics");
  if (metrics.length === 0) return "<none>";
  const current = objects(object, "status", "currentMetrics");
  return metrics.map((metric, index) => target(metric, current[index])).join(", ");
}

/** Metrics are told apart by the field named like their type ("Resource": "resource"). */
function target(metric: JsonObject, status: JsonObject | undefined): string {
  const type = text(metric, "type");
  const key = type.charAt(0).toLowerCase() + type.slice(1);
  const wanted = field(metric, key, "target");
  const now = field(status, key, "current");
  const name = type === "Resource" ? `${text(metric, key, "name")}: ` : "";
  const utilization = field(wanted, "averageUtilization");
  if (typeof utilization === "number") {
    const seen = field(now, "averageUtilization");
    return `${name}${typeof seen === "number" ? `${seen}%` : "<unknown>"}/${utilization}%`;
  }
  const wantedText = orNone(text(wanted, "averageValue"), text(wanted, "value"));
  const seenText = text(now, "averageValue") || text(now, "value") || "<unknown>";
  return `${name}${seenText}/${wantedText}`;
}
