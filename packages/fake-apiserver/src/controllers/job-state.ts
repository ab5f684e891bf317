import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, text } from "../base/read-fields.ts";

/** The end of a Job: its condition, and the one that precedes it while pods still stop. */
export interface JobEnd {
  readonly type: "Complete" | "Failed";
  readonly intermediate: "FailureTarget" | "SuccessCriteriaMet";
  readonly reason: string;
  readonly message: string;
}

/** Whether a Job is complete or has failed. */
export function isFinished(job: ApiObject): boolean {
  return finishedType(job) !== undefined;
}

/** Returns the condition of a finished Job; `undefined` while it runs. */
export function finishedType(job: ApiObject): "Complete" | "Failed" | undefined {
  const isTrue = (wanted: string): boolean =>
    objects(job, "status", "conditions").some(
      ({ status, type }) => type === wanted && status === "True",
    );
  if (isTrue("Complete")) return "Complete";
  return isTrue("Failed") ? "Failed" : undefined;
}

/** Returns the end that a Job has reached; `undefined` if it must go on. */
export function jobEnd(job: ApiObject, active: number, now: number): JobEnd | undefined {
  const failed = (reason: string, message: string): JobEnd => {
    return { type: "Failed", intermediate: "FailureTarget", reason, message };
  };
  const earlier = objects(job, "status", "conditions").find(({ type }) => type === "FailureTarget");
  if (earlier !== undefined) return failed(text(earlier, "reason"), text(earlier, "message"));
  if (count(job, "status", "failed") > count(job, "spec", "backoffLimit")) {
    return failed("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  const started = Date.parse(text(job, "status", "startTime"));
  const deadline = field(job, "spec", "activeDeadlineSeconds");
  const isSuspended = field(job, "spec", "suspend") === true;
  if (typeof deadline === "number" && !isSuspended && now - started >= deadline * 1000) {
    return failed("DeadlineExceeded", "Job was active longer than specified deadline");
  }
  const completions = field(job, "spec", "completions");
  const succeeded = count(job, "status", "succeeded");
  const isComplete =
    typeof completions === "number" ? succeeded >= completions : succeeded > 0 && active === 0;
  if (!isComplete) return undefined;
  return {
    type: "Complete",
    intermediate: "SuccessCriteriaMet",
    reason: "CompletionsReached",
    message: "Reached expected number of succeeded pods",
  };
}
