import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { ApiError } from "../api/api-error.ts";
import { field, flag, text } from "../base/read-fields.ts";
import { timestamp } from "../base/server-clock.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { type Controller, controllerKeys, controllerOf, ownKey } from "./controller.ts";
import { nextTime } from "./cron-times.ts";
import { finishedType } from "./job-state.ts";
import { controllerReference } from "./ownership.ts";
import { stringMap } from "./string-map.ts";

const resource = "cronjobs.batch";
const jobResource = "jobs.batch";
const kind = { apiVersion: "batch/v1", kind: "CronJob" };
// pkg/controller/cronjob: `nextScheduleDelta`, so that a timer is not early.
const slackMs = 100;
// After that many missed times a real controller warns and looks at the last one only.
const maxMissed = 1000;

/** Creates the Jobs of CronJobs (k8s.io/kubernetes pkg/controller/cronjob). */
export class CronJobController implements Controller {
  readonly watches: Controller["watches"] = {
    [resource]: ownKey,
    [jobResource]: controllerKeys("CronJob"),
  };
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controller("cronjob-controller");
  }

  async reconcile(key: string): Promise<number | undefined> {
    const stored = this.#cluster.get(resource, key);
    if (stored === undefined || stored.isTerminating) return undefined;
    const cronJob = stored.object;
    await this.#cleanUp(cronJob);
    const current = await this.#report(cronJob, {});
    if (flag(current, "spec", "suspend")) return undefined;
    return this.#schedule(current);
  }

  #jobs({ metadata }: ApiObject): readonly ApiObject[] {
    const jobs = this.#cluster.list(jobResource, metadata.namespace ?? "");
    return jobs
      .map(({ object }) => object)
      .filter((job) => controllerOf(job)?.uid === metadata.uid);
  }

  /** Deletes the oldest finished Jobs beyond the limits of the history. */
  async #cleanUp(cronJob: ApiObject): Promise<void> {
    const limits = {
      Complete: field(cronJob, "spec", "successfulJobsHistoryLimit"),
      Failed: field(cronJob, "spec", "failedJobsHistoryLimit"),
    };
    for (const [type, limit] of Object.entries(limits)) {
      if (typeof limit !== "number") continue;
      const finished = this.#jobs(cronJob)
        .filter((job) => finishedType(job) === type)
        .toSorted((left, right) => startOf(left) - startOf(right));
      for (const job of finished.slice(0, Math.max(0, finished.length - limit))) {
        await this.#writer.remove(jobResource, job);
      }
    }
  }

  /** Writes the status: the Jobs that run, and the last success. */
  async #report(cronJob: ApiObject, changes: JsonObject): Promise<ApiObject> {
    const { namespace, name } = cronJob.metadata;
    const jobs = this.#jobs(cronJob);
    const active = jobs
      .filter((job) => finishedType(job) === undefined)
      .map((job) => referenceTo(job));
    const successes = jobs
      .filter((job) => finishedType(job) === "Complete")
      .map((job) => text(job, "status", "completionTime"))
      .concat(text(cronJob, "status", "lastSuccessfulTime"))
      .filter((time) => time !== "")
      .toSorted();
    const lastSuccessfulTime = successes.at(-1);
    const { active: _active, ...status } = recordOf(cronJob["status"]);
    const wanted = {
      ...status,
      ...(active.length > 0 && { active }),
      ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
      ...changes,
    };
    if (isJsonEqual(wanted, recordOf(cronJob["status"]))) return cronJob;
    await this.#writer.updateStatus(resource, { ...cronJob, status: wanted });
    return this.#cluster.get(resource, `${namespace}/${name}`)?.object ?? cronJob;
  }

  async #schedule(cronJob: ApiObject): Promise<number | undefined> {
    const now = this.#cluster.clock.now();
    const next = nextTime(text(cronJob, "spec", "schedule"), zoneOf(cronJob), now);
    const delay = next === undefined ? undefined : next - now + slackMs;
    const due = mostRecentTime(cronJob, now);
    if (due === undefined) return delay;
    const deadline = field(cronJob, "spec", "startingDeadlineSeconds");
    if (typeof deadline === "number" && due + deadline * 1000 < now) return delay;
    const policy = text(cronJob, "spec", "concurrencyPolicy");
    const running = this.#jobs(cronJob).filter((job) => finishedType(job) === undefined);
    if (policy === "Forbid" && running.length > 0) return delay;
    if (policy === "Replace") {
      for (const job of running) await this.#writer.remove(jobResource, job);
    }
    await this.#createJob(cronJob, due);
    await this.#report(cronJob, { lastScheduleTime: timestamp(due) });
    return delay;
  }

  async #createJob(cronJob: ApiObject, due: number): Promise<void> {
    const template = recordOf(field(cronJob, "spec", "jobTemplate"));
    const { annotations, labels } = recordOf(template["metadata"]);
    const { name, namespace } = cronJob.metadata;
    const job = {
      metadata: {
        // One Job for each time, also if it is tried twice.
        name: `${name}-${Math.floor(due / 60_000)}`,
        namespace,
        ...(labels !== undefined && { labels: stringMap(labels) }),
        annotations: {
          ...stringMap(annotations),
          "batch.kubernetes.io/cronjob-scheduled-timestamp": timestamp(due),
        },
        ownerReferences: [controllerReference(kind, cronJob)],
      },
      spec: template["spec"],
    };
    try {
      await this.#writer.create(jobResource, job);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
    }
  }
}

/** Returns the last time of the schedule that has passed without a Job. */
function mostRecentTime(cronJob: ApiObject, now: number): number | undefined {
  const last = text(cronJob, "status", "lastScheduleTime");
  const created = cronJob.metadata.creationTimestamp ?? "";
  let earliest = Date.parse(last === "" ? created : last);
  const deadline = field(cronJob, "spec", "startingDeadlineSeconds");
  if (typeof deadline === "number") earliest = Math.max(earliest, now - deadline * 1000);
  let due: number | undefined;
  for (let missed = 0; missed < maxMissed; missed++) {
    const from = due ?? earliest;
    const time = nextTime(text(cronJob, "spec", "schedule"), zoneOf(cronJob), from);
    if (time === undefined || time > now) break;
    due = time;
  }
  return due;
}

function zoneOf(cronJob: ApiObject): string {
  return text(cronJob, "spec", "timeZone");
}

function startOf(job: ApiObject): number {
  return Date.parse(text(job, "status", "startTime")) || 0;
}

function referenceTo(job: ApiObject): object {
  const { name, namespace, uid } = job.metadata;
  return { kind: "Job", namespace, name, uid, apiVersion: "batch/v1" };
}
