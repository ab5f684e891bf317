import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { count, field as valueAt, objects, text, texts } from "../../base/read-fields.ts";
import { duplicate, invalid, invalidAsWhole, required } from "../../validation/field-errors.ts";
import { overlapOf, parseIndexes } from "./job-indexes.ts";
import { checkNumbers } from "./numbers.ts";

const numbers = ["active", "succeeded", "failed", "ready", "terminating"];

/**
 * The status of a changed job: what ends must be whole, and what has ended stays so
 * (pkg/registry/batch/job, `getStatusValidationOptions`; pkg/apis/batch/validation,
 * `ValidateJobStatusUpdate`). A rule holds where something that it is about has changed.
 */
export function checkJobStatus(job: ApiObject, stored: ApiObject): readonly FieldError[] {
  const now = new JobState(job);
  const before = new JobState(stored);
  return [
    ...checkNumbers("status", job["status"], numbers),
    ...checkUncounted(now.status),
    ...checkConditions(now, before),
    ...checkTimes(now, before),
    ...checkFinished(now, before),
    ...checkIndexes(now, before),
    ...checkReady(now, before),
    ...checkKept(now, before),
  ];
}

/** State of a job that the rules use. */
class JobState {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly #true: ReadonlySet<string>;
  readonly #false: ReadonlySet<string>;

  constructor(job: ApiObject) {
    this.spec = recordOf(job["spec"]);
    this.status = recordOf(job["status"]);
    const conditions = objects(this.status, "conditions");
    const ofStatus = (status: string): ReadonlySet<string> =>
      new Set(
        conditions
          .filter((condition) => text(condition, "status") === status)
          .map((condition) => text(condition, "type")),
      );
    this.#true = ofStatus("True");
    this.#false = ofStatus("False");
  }

  is(condition: string): boolean {
    return this.#true.has(condition);
  }

  isNot(condition: string): boolean {
    return this.#false.has(condition);
  }

  get isFinished(): boolean {
    return this.is("Complete") || this.is("Failed");
  }
}

function haveChanged(now: JobState, before: JobState, ...fields: readonly string[]): boolean {
  return fields.some((name) => !isJsonEqual(now.status[name], before.status[name]));
}

function differIn(now: JobState, before: JobState, ...conditions: readonly string[]): boolean {
  return conditions.some((condition) => now.is(condition) !== before.is(condition));
}

const conditionsField = "status.conditions";

function checkConditions(now: JobState, before: JobState): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (problem: string): void => {
    errors.push(invalidAsWhole(conditionsField, problem));
  };
  if (differIn(now, before, "Complete", "Failed") && now.is("Complete") && now.is("Failed")) {
    refuse("cannot set Complete=True and Failed=true conditions");
  }
  const isBoth = now.is("Complete") && now.is("FailureTarget");
  if (differIn(now, before, "Complete", "FailureTarget") && isBoth) {
    refuse("cannot set Complete=True and FailureTarget=true conditions");
  }
  const mayFail = differIn(now, before, "Failed") || haveChanged(now, before, "failedIndexes");
  if (mayFail && now.is("Failed") && !now.is("FailureTarget")) {
    refuse("cannot set Failed=True condition without the FailureTarget=true condition");
  }
  const isUnmet = now.is("Complete") && !now.is("SuccessCriteriaMet");
  if (differIn(now, before, "Complete", "SuccessCriteriaMet") && isUnmet) {
    refuse("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }
  return errors;
}

function checkTimes(now: JobState, before: JobState): readonly FieldError[] {
  const start = text(now.status, "startTime");
  const end = text(now.status, "completionTime");
  const field = "status.completionTime";
  const errors: FieldError[] = [];
  const isChecked = differIn(now, before, "Complete") || haveChanged(now, before, "completionTime");
  if (isChecked && end !== "" && !now.is("Complete")) {
    const problem = "cannot set completionTime when there is no Complete=True condition";
    errors.push(invalid(field, end, problem));
  }
  if (isChecked && end === "" && now.is("Complete")) {
    errors.push(required(field, "completionTime is required for Complete jobs"));
  }
  const isEarly = start !== "" && end !== "" && Date.parse(end) < Date.parse(start);
  if (isEarly && haveChanged(now, before, "startTime", "completionTime")) {
    errors.push(invalid(field, end, "must be equal to or after `startTime`"));
  }
  return errors;
}

function checkFinished(now: JobState, before: JobState): readonly FieldError[] {
  if (!now.isFinished) return [];
  const { status } = now;
  const isNew = !before.isFinished;
  const isChecked = (name: string): boolean => isNew || haveChanged(now, before, name);
  const errors: FieldError[] = [];
  for (const name of ["active", "terminating"]) {
    if (!isChecked(name) || count(status, name) <= 0) continue;
    const problem = `${name}>0 is invalid for finished job`;
    errors.push(invalid(`status.${name}`, count(status, name), problem));
  }
  const neverStarts = now.spec["suspend"] === true && now.spec["completions"] === 0;
  if (isChecked("startTime") && status["startTime"] === undefined && !neverStarts) {
    errors.push(required("status.startTime", "startTime is required for finished job"));
  }
  const uncounted = ["succeeded", "failed"].flatMap((name) =>
    texts(status, "uncountedTerminatedPods", name),
  );
  if (isChecked("uncountedTerminatedPods") && uncounted.length > 0) {
    const shown = status["uncountedTerminatedPods"];
    const problem = "must be empty for finished job";
    errors.push(invalid("status.uncountedTerminatedPods", shown, problem));
  }
  return errors;
}

function checkIndexes(now: JobState, before: JobState): readonly FieldError[] {
  const { spec, status } = now;
  const { failedIndexes } = status;
  const completed = text(status, "completedIndexes");
  const completions = count(spec, "completions");
  const isLimited = spec["completions"] !== undefined;
  const errors: FieldError[] = [];
  const check = (name: string, indexes: string): void => {
    const { problem } = parseIndexes(indexes, completions);
    if (problem === undefined) return;
    errors.push(invalid(`status.${name}`, indexes, `error parsing ${name}: ${problem}`));
  };
  if (haveChanged(now, before, "completedIndexes")) {
    if (isLimited) check("completedIndexes", completed);
    if (completed !== "" && spec["completionMode"] !== "Indexed") {
      const problem = "cannot set non-empty completedIndexes when non-indexed completion mode";
      errors.push(invalid("status.completedIndexes", completed, problem));
    }
  }
  if (typeof failedIndexes !== "string") return errors;
  if (haveChanged(now, before, "failedIndexes")) {
    const isByIndex = spec["backoffLimitPerIndex"] !== undefined;
    if (isLimited && isByIndex) check("failedIndexes", failedIndexes);
    if (!isByIndex) {
      const problem = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
      errors.push(invalid("status.failedIndexes", failedIndexes, problem));
    }
  }
  if (!isLimited || !haveChanged(now, before, "failedIndexes", "completedIndexes")) return errors;
  const overlap = overlapOf(completed, failedIndexes, completions);
  if (overlap === undefined) return errors;
  const problem = `failedIndexes and completedIndexes overlap at index: ${overlap}`;
  return [...errors, invalid("status.failedIndexes", failedIndexes, problem)];
}

function checkReady({ status }: JobState, before: JobState): readonly FieldError[] {
  const { ready } = status;
  const isChanged =
    !isJsonEqual(ready, before.status["ready"]) ||
    count(status, "active") !== count(before.status, "active");
  if (typeof ready !== "number" || !isChanged || ready <= count(status, "active")) return [];
  return [invalid("status.ready", ready, "cannot set more ready pods than active")];
}

function checkUncounted(status: JsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return ["succeeded", "failed"].flatMap((name) =>
    texts(status, "uncountedTerminatedPods", name).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${name}[${index}]`;
      if (uid === "") return [invalid(field, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicate(field, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

// Terminal conditions, counters and times of a job are not taken back.
function checkKept(now: JobState, before: JobState): readonly FieldError[] {
  const errors = ["Failed", "Complete", "FailureTarget"]
    .filter((condition) => before.is(condition) && !now.is(condition))
    .map((condition) =>
      invalidAsWhole(conditionsField, `cannot disable the terminal ${condition}=True condition`),
    );
  const { spec, status } = now;
  const isElastic =
    spec["completionMode"] === "Indexed" && isJsonEqual(spec["completions"], spec["parallelism"]);
  for (const name of isElastic ? ["failed"] : ["failed", "succeeded"]) {
    if (count(status, name) >= count(before.status, name)) continue;
    const problem = `cannot decrease the ${name} counter`;
    errors.push(invalid(`status.${name}`, count(status, name), problem));
  }
  const [end, oldEnd] = [now, before].map((one) => valueAt(one.status, "completionTime"));
  if (end !== undefined && oldEnd !== undefined && end !== oldEnd) {
    errors.push(invalid("status.completionTime", end, "field is immutable"));
  }
  errors.push(...checkStart(now, before));
  const wasMet = before.is("SuccessCriteriaMet");
  if (wasMet && !now.is("SuccessCriteriaMet")) {
    const problem = "cannot disable the SuccessCriteriaMet=True condition";
    errors.push(invalidAsWhole(conditionsField, problem));
  }
  if (before.is("Complete") && !wasMet && now.is("SuccessCriteriaMet")) {
    const problem =
      "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.push(invalidAsWhole(conditionsField, problem));
  }
  return errors;
}

function checkStart(now: JobState, before: JobState): readonly FieldError[] {
  const start = before.status["startTime"];
  const isResuming = before.is("Suspended") && now.isNot("Suspended");
  if (start === undefined || isResuming || now.spec["suspend"] === true) return [];
  if (!haveChanged(now, before, "startTime")) return [];
  const problem = "field is immutable for unsuspended job once set";
  return [invalid("status.startTime", now.status["startTime"] ?? null, problem)];
}
