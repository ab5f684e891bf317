import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { text } from "../../base/read-fields.ts";
import { invalid, invalidShown, notSupported, required } from "../../validation/field-errors.ts";
import { checkListed } from "../../validation/values.ts";
import type { ObjectRules } from "../object-rules.ts";
import { podWarnings } from "../pods/pod-warnings.ts";
import { isTimeZone, scheduleProblem } from "./cron-schedule.ts";
import { checkJobSpec } from "./job-spec.ts";
import { checkNumbers } from "./numbers.ts";
import { showSelector } from "./selected-template.ts";
import { hostnameWarning, isUnchanged } from "./template-warnings.ts";

/** The rules of CronJobs. */
export const cronJobRules: ObjectRules = {
  create: (job) => [...checkName(job), ...checkSpec(recordOf(job["spec"]), undefined)],
  update: (job, stored) => checkSpec(recordOf(job["spec"]), recordOf(stored["spec"])),
  warnings: cronJobWarnings,
};

// The names of its jobs have eleven characters more and fit into a label of 63.
const maxName = 52;

function checkName({ metadata }: ApiObject): readonly FieldError[] {
  const { name = "" } = metadata;
  if (name.length <= maxName) return [];
  return [invalid("metadata.name", name, `must be no more than ${maxName} characters`)];
}

function checkSpec(spec: JsonObject, stored: JsonObject | undefined): readonly FieldError[] {
  const policies = ["Allow", "Forbid", "Replace"];
  const { concurrencyPolicy } = spec;
  return [
    ...checkSchedule("spec.schedule", spec, stored),
    ...checkTimeZone("spec.timeZone", spec["timeZone"]),
    ...checkNumbers("spec", spec, [
      "startingDeadlineSeconds",
      "successfulJobsHistoryLimit",
      "failedJobsHistoryLimit",
    ]),
    ...(concurrencyPolicy === undefined
      ? []
      : checkListed("spec.concurrencyPolicy", concurrencyPolicy, policies)),
    ...checkJobTemplate("spec.jobTemplate.spec", recordOf(recordOf(spec["jobTemplate"])["spec"])),
  ];
}

function checkSchedule(
  field: string,
  spec: JsonObject,
  stored: JsonObject | undefined,
): readonly FieldError[] {
  const schedule = text(spec, "schedule");
  if (schedule === "") return [required(field)];
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalid(field, schedule, problem)];
  if (!schedule.includes("TZ")) return errors;
  // A stored value was allowed once.
  const wasAllowed = stored !== undefined && text(stored, "schedule").includes("TZ");
  if (!wasAllowed) {
    const detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    errors.push(invalid(field, schedule, detail));
  } else if (spec["timeZone"] !== undefined) {
    const detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
    errors.push(invalid(field, schedule, detail));
  }
  return errors;
}

function checkTimeZone(field: string, zone: unknown): readonly FieldError[] {
  if (typeof zone !== "string") return [];
  if (zone === "") return [invalid(field, zone, "timeZone must be nil or non-empty string")];
  if (zone.toLowerCase() === "local") {
    const problem =
      "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    return [invalid(field, zone, problem)];
  }
  return isTimeZone(zone) ? [] : [invalid(field, zone, `unknown time zone ${zone}`)];
}

function checkJobTemplate(field: string, spec: JsonObject): readonly FieldError[] {
  const { manualSelector, selector } = spec;
  const errors = [...checkJobSpec(field, spec)];
  if (selector !== undefined) {
    const problem = "`selector` will be auto-generated";
    errors.push(invalidShown(`${field}.selector`, showSelector(selector), problem));
  }
  if (manualSelector === true) {
    errors.push(notSupported(`${field}.manualSelector`, true, ["nil", "false"]));
  }
  return errors;
}

function cronJobWarnings(job: ApiObject, stored: ApiObject | undefined): readonly string[] {
  if (isUnchanged(job, stored)) return [];
  const template = recordOf(recordOf(recordOf(job["spec"])["jobTemplate"])["spec"])["template"];
  const warnings = podWarnings("spec.jobTemplate.spec.template.", recordOf(template));
  return stored === undefined ? [...hostnameWarning(job), ...warnings] : warnings;
}
