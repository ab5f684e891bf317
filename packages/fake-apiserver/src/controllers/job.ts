import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, flag, objects, text } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { setCondition } from "./conditions.ts";
import { type Controller, controllerKeys, controllerOf, ownKey } from "./controller.ts";
import { formatIndexes, indexOf, jobPod, readIndexes, trackingFinalizer } from "./job-pods.ts";
import { type JobEnd, jobEnd, isFinished } from "./job-state.ts";
import { claimObjects } from "./ownership.ts";
import { inOrderOfDeletion, podFacts, type PodFacts } from "./pod-facts.ts";
import { podKeysOf } from "./pod-keys.ts";

const resource = "jobs.batch";
const kind = { apiVersion: "batch/v1", kind: "Job" };
// pkg/controller/job: `DefaultJobPodFailureBackOff`, `MaxJobPodFailureBackOff`.
const firstBackoffMs = 10_000;
const lastBackoffMs = 600_000;

/** Runs the pods of Jobs to their end (k8s.io/kubernetes pkg/controller/job). */
export class JobController implements Controller {
  readonly watches: Controller["watches"];
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controller("job-controller");
    this.watches = {
      [resource]: ownKey,
      pods: podKeysOf(controllerKeys("Job"), cluster, resource),
    };
  }

  async reconcile(key: string): Promise<number | undefined> {
    const stored = this.#cluster.get(resource, key);
    await this.#releaseOrphans(key, stored?.object.metadata.uid);
    if (stored === undefined || stored.isTerminating) return undefined;
    const pods = await this.#pods(stored.object);
    await this.#count(stored.object, pods);
    const job = this.#cluster.get(resource, key)?.object;
    if (job === undefined) return undefined;
    if (isFinished(job)) return this.#expire(job);
    return this.#run(key, job);
  }

  async #pods(job: ApiObject): Promise<readonly PodFacts[]> {
    const found = await claimObjects({
      ...kind,
      owner: job,
      cluster: this.#cluster,
      writer: this.#writer,
      resource: "pods",
    });
    return found.map(podFacts);
  }

  // Pods of a Job that is gone are no longer counted.
  async #releaseOrphans(key: string, uid: string | undefined): Promise<void> {
    const [namespace = "", name] = key.split("/");
    for (const pod of this.#cluster.list("pods", namespace)) {
      const owner = controllerOf(pod.object);
      const isOrphan = owner?.kind === "Job" && owner.name === name && owner.uid !== uid;
      if (isOrphan) await this.#untrack(podFacts(pod));
    }
  }

  async #untrack({ stored }: PodFacts): Promise<void> {
    const pod = this.#cluster.get("pods", stored.key)?.object;
    const finalizers = pod?.metadata.finalizers ?? [];
    if (pod === undefined || !finalizers.includes(trackingFinalizer)) return;
    const kept = finalizers.filter((name) => name !== trackingFinalizer);
    const metadata = { ...pod.metadata, finalizers: kept };
    await this.#writer.update("pods", { ...pod, metadata });
  }

  /** Counts the pods that have ended since, and lets them go. */
  async #count(job: ApiObject, pods: readonly PodFacts[]): Promise<void> {
    const ended = pods.filter((pod) => !pod.isActive && isTracked(pod));
    if (ended.length === 0) return;
    const status = recordOf(job["status"]);
    const succeeded = ended.filter(({ phase }) => phase === "Succeeded");
    // A pod that was deleted while it ran has failed.
    const failed = ended.length - succeeded.length;
    const indexes = new Set(readIndexes(text(status, "completedIndexes")));
    const isIndexed = text(job, "spec", "completionMode") === "Indexed";
    let added = succeeded.length;
    if (isIndexed) {
      const before = indexes.size;
      for (const pod of succeeded) indexes.add(indexOf(pod) ?? 0);
      added = indexes.size - before;
    }
    const changed: JsonObject = {
      ...status,
      ...(!isFinished(job) && {
        ...(added > 0 && { succeeded: count(status, "succeeded") + added }),
        ...(failed > 0 && { failed: count(status, "failed") + failed }),
        ...(isIndexed && { completedIndexes: formatIndexes(indexes) }),
        ...this.#activity(pods),
        uncountedTerminatedPods: {},
        startTime: status["startTime"] ?? this.#cluster.time(),
      }),
    };
    if (!isJsonEqual(changed, status)) {
      await this.#writer.updateStatus(resource, { ...job, status: changed });
    }
    for (const pod of ended) await this.#untrack(pod);
  }

  #activity(pods: readonly PodFacts[]): JsonObject {
    const active = pods.filter(({ isActive }) => isActive);
    return {
      active: active.length === 0 ? undefined : active.length,
      ready: active.filter(({ isReady }) => isReady).length,
      terminating: pods.filter((pod) => isTerminatingPod(pod)).length,
    };
  }

  async #run(key: string, job: ApiObject): Promise<number | undefined> {
    const pods = await this.#pods(job);
    const now = this.#cluster.clock.now();
    const active = pods.filter(({ isActive }) => isActive);
    const end = jobEnd(job, active.length, now);
    const isSuspended = flag(job, "spec", "suspend");
    let delay: number | undefined;
    if (end !== undefined || isSuspended) await this.#stop(active);
    else delay = await this.#manage(job, pods);
    return earliest(delay, await this.#report(key, end));
  }

  // Deleted pods of a running Job count as failed, unless the Job deletes them itself.
  async #stop(pods: readonly PodFacts[]): Promise<void> {
    for (const pod of pods) {
      await this.#untrack(pod);
      await this.#writer.remove("pods", pod.stored.object);
    }
  }

  // `manageJob`
  async #manage(job: ApiObject, pods: readonly PodFacts[]): Promise<number | undefined> {
    const active = pods.filter(({ isActive }) => isActive);
    const parallelism = count(job, "spec", "parallelism");
    const completions = field(job, "spec", "completions");
    const succeeded = count(job, "status", "succeeded");
    const isOpen = typeof completions !== "number";
    const wanted = isOpen
      ? succeeded > 0
        ? active.length
        : parallelism
      : Math.min(completions - succeeded, parallelism);
    if (active.length > wanted) {
      await this.#stop(inOrderOfDeletion(active).slice(0, active.length - wanted));
      return undefined;
    }
    if (active.length === wanted) return undefined;
    const delay = this.#backoff(pods);
    if (delay > 0) return delay;
    const free = this.#freeIndexes(job, active);
    for (let missing = wanted - active.length; missing > 0; missing--) {
      await this.#writer.create("pods", jobPod(kind, job, free?.shift()));
    }
    return undefined;
  }

  #freeIndexes(job: ApiObject, active: readonly PodFacts[]): number[] | undefined {
    if (text(job, "spec", "completionMode") !== "Indexed") return undefined;
    const used = new Set(active.map(indexOf));
    const done = readIndexes(text(job, "status", "completedIndexes"));
    const all = Array.from({ length: count(job, "spec", "completions") }, (_, index) => index);
    return all.filter((index) => !used.has(index) && !done.has(index));
  }

  /** Returns the milliseconds until failed pods may be replaced. */
  #backoff(pods: readonly PodFacts[]): number {
    const lastSuccess = Math.max(0, ...pods.filter(hasSucceeded).map(endOf));
    const failures = pods
      .filter(({ phase }) => phase === "Failed")
      .map(endOf)
      .filter((time) => time > lastSuccess);
    if (failures.length === 0) return 0;
    const delay = Math.min(lastBackoffMs, firstBackoffMs * 2 ** (failures.length - 1));
    return Math.max(0, Math.max(...failures) + delay - this.#cluster.clock.now());
  }

  async #report(key: string, end: JobEnd | undefined): Promise<number | undefined> {
    const job = this.#cluster.get(resource, key)?.object;
    if (job === undefined) return undefined;
    const pods = await this.#pods(job);
    const { startTime, conditions: _conditions, ...status } = recordOf(job["status"]);
    const time = this.#cluster.time();
    const isSuspended = flag(job, "spec", "suspend");
    const suspended = objects(job, "status", "conditions").find(({ type }) => type === "Suspended");
    const isResumed = !isSuspended && suspended?.["status"] === "True";
    const start = isResumed || typeof startTime !== "string" ? time : startTime;
    const activity = this.#activity(pods);
    let conditions = objects(job, "status", "conditions");
    const add = (type: string, value: string, reason: string, message: string): void => {
      const times = { lastProbeTime: time, lastTransitionTime: time };
      conditions = setCondition(conditions, { type, status: value, ...times, reason, message });
    };
    if (isSuspended && end === undefined) add("Suspended", "True", "JobSuspended", "Job suspended");
    if (isResumed) add("Suspended", "False", "JobResumed", "Job resumed");
    const isQuiet = activity["active"] === undefined && activity["terminating"] === 0;
    if (end !== undefined) {
      add(end.intermediate, "True", end.reason, end.message);
      if (isQuiet) add(end.type, "True", end.reason, end.message);
    }
    const isComplete = end?.type === "Complete" && isQuiet;
    const wanted: JsonObject = {
      ...status,
      ...((!isSuspended || end !== undefined) && { startTime: start }),
      ...activity,
      uncountedTerminatedPods: {},
      ...(conditions.length > 0 && { conditions }),
      ...(isComplete && { completionTime: time }),
    };
    if (!isJsonEqual(wanted, job["status"])) {
      await this.#writer.updateStatus(resource, { ...job, status: wanted });
    }
    const deadline = field(job, "spec", "activeDeadlineSeconds");
    if (typeof deadline !== "number" || end !== undefined || isSuspended) return undefined;
    return Math.max(0, Date.parse(start) + deadline * 1000 - this.#cluster.clock.now());
  }

  /** Deletes a finished Job at the end of its time to live. */
  async #expire(job: ApiObject): Promise<number | undefined> {
    const seconds = field(job, "spec", "ttlSecondsAfterFinished");
    if (typeof seconds !== "number") return undefined;
    const ends = objects(job, "status", "conditions")
      .filter(({ type }) => type === "Complete" || type === "Failed")
      .map((condition) => Date.parse(text(condition, "lastTransitionTime")));
    const delay = Math.max(...ends) + seconds * 1000 - this.#cluster.clock.now();
    if (delay > 0) return delay;
    await this.#cluster.controller("ttl-after-finished-controller").remove(resource, job);
    return undefined;
  }
}

function isTracked({ stored }: PodFacts): boolean {
  return stored.object.metadata.finalizers?.includes(trackingFinalizer) === true;
}

function isTerminatingPod({ isTerminating, phase }: PodFacts): boolean {
  return isTerminating && phase !== "Succeeded" && phase !== "Failed";
}

function hasSucceeded({ phase }: PodFacts): boolean {
  return phase === "Succeeded";
}

/** Returns the time at which the last container of a pod has ended. */
function endOf({ createdMs, stored }: PodFacts): number {
  const times = objects(stored.object, "status", "containerStatuses").map((one) =>
    Date.parse(text(one, "state", "terminated", "finishedAt")),
  );
  return Math.max(createdMs, ...times.filter((time) => !Number.isNaN(time)));
}

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  const delays = [left, right].filter((delay) => delay !== undefined);
  return delays.length === 0 ? undefined : Math.min(...delays);
}
