import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, text } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { type Controller, controllerKeys, ownKey } from "./controller.ts";
import { claimObjects, controllerReference } from "./ownership.ts";
import { podFacts, type PodFacts, untilAvailable } from "./pod-facts.ts";
import { podKeysOf } from "./pod-keys.ts";
import { type Revisions, syncRevisions, templateOf, truncateHistory } from "./revisions.ts";
import { resolveShare } from "./rolling-update.ts";
import {
  claimNames,
  ordinalOf,
  revisionLabel,
  startOf,
  statefulClaims,
  statefulPod,
} from "./stateful-pods.ts";

const resource = "statefulsets.apps";
const claims = "persistentvolumeclaims";
const kind = { apiVersion: "apps/v1", kind: "StatefulSet" };

/** Keeps the numbered pods of StatefulSets (k8s.io/kubernetes pkg/controller/statefulset). */
export class StatefulSetController implements Controller {
  readonly watches: Controller["watches"];
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controller("statefulset-controller");
    this.watches = {
      [resource]: ownKey,
      pods: podKeysOf(controllerKeys("StatefulSet"), cluster, resource),
    };
  }

  async reconcile(key: string): Promise<number | undefined> {
    const stored = this.#cluster.get(resource, key);
    if (stored === undefined) return undefined;
    const set = stored.object;
    const hashLabel = "controller.kubernetes.io/hash";
    const revisioned = { cluster: this.#cluster, writer: this.#writer, kind, set, hashLabel };
    const revisions = await syncRevisions(revisioned);
    const { all, update } = revisions;
    const currentName = text(set, "status", "currentRevision");
    const current = all.find(({ metadata }) => metadata.name === currentName) ?? update;
    if (!stored.isTerminating) await this.#step(set, current, update);
    const next = await this.#report(key, revisions, current);
    const used = new Set((await this.#pods(set)).map(({ stored: pod }) => revisionOf(pod.labels)));
    await truncateHistory(revisioned, all, (revision) => {
      const { name = "" } = revision.metadata;
      return revision === update || revision === current || used.has(name);
    });
    return next;
  }

  async #pods(set: ApiObject): Promise<readonly PodFacts[]> {
    const found = await claimObjects({
      ...kind,
      owner: set,
      cluster: this.#cluster,
      writer: this.#writer,
      resource: "pods",
    });
    return found.map(podFacts).filter((pod) => ordinalOf(set, pod) >= 0);
  }

  // `updateStatefulSet`: one pod after the other with `OrderedReady`, all at once with `Parallel`.
  async #step(set: ApiObject, current: ApiObject, update: ApiObject): Promise<void> {
    const isOrdered = text(set, "spec", "podManagementPolicy") !== "Parallel";
    const pods = await this.#pods(set);
    const start = startOf(set);
    const end = start + count(set, "spec", "replicas");
    for (let ordinal = start; ordinal < end; ordinal++) {
      const pod = pods.find((one) => ordinalOf(set, one) === ordinal);
      const isSettled = await this.#keep(set, ordinal, pod, { current, update });
      if (!isSettled && isOrdered) return;
    }
    const condemned = pods
      .filter((pod) => ordinalOf(set, pod) < start || ordinalOf(set, pod) >= end)
      .toSorted((left, right) => ordinalOf(set, right) - ordinalOf(set, left));
    for (const pod of condemned) {
      if (!pod.isTerminating) await this.#condemn(set, pod);
      if (isOrdered) return;
    }
    await this.#update(set, update);
  }

  /** Returns whether the pod of a number runs, so that the next one may start. */
  async #keep(
    set: ApiObject,
    ordinal: number,
    pod: PodFacts | undefined,
    revisions: { readonly current: ApiObject; readonly update: ApiObject },
  ): Promise<boolean> {
    if (pod?.isTerminating === true) return false;
    if (pod?.phase === "Failed" || pod?.phase === "Succeeded") {
      await this.#writer.remove("pods", pod.stored.object);
      return false;
    }
    if (pod !== undefined) return this.#isAvailable(set, pod);
    const { namespace = "" } = set.metadata;
    for (const claim of statefulClaims(kind, set, ordinal)) {
      const isThere = this.#cluster.get(claims, `${namespace}/${claim.metadata.name}`);
      if (isThere === undefined) await this.#writer.create(claims, claim);
    }
    // Pods below the partition are of the earlier revision.
    const isKept = ordinal < startOf(set) + partitionOf(set);
    const revision = isKept ? revisions.current : revisions.update;
    const { name = "" } = revision.metadata;
    const template = templateOf(revision);
    const created = statefulPod(kind, set, template, { ordinal, revision: name });
    await this.#writer.create("pods", created);
    return false;
  }

  async #condemn(set: ApiObject, pod: PodFacts): Promise<void> {
    const policy = field(set, "spec", "persistentVolumeClaimRetentionPolicy");
    if (text(policy, "whenScaled") === "Delete") {
      const owner = pod.stored.object;
      const reference = controllerReference({ apiVersion: "v1", kind: "Pod" }, owner);
      for (const name of claimNames(set, ordinalOf(set, pod))) {
        const claim = this.#cluster.get(claims, `${pod.stored.namespace}/${name}`)?.object;
        if (claim === undefined) continue;
        const metadata = { ...claim.metadata, ownerReferences: [reference] };
        await this.#writer.update(claims, { ...claim, metadata });
      }
    }
    await this.#writer.remove("pods", pod.stored.object);
  }

  // From the highest number down; a pod that is not available holds the others back.
  async #update(set: ApiObject, update: ApiObject): Promise<void> {
    if (text(set, "spec", "updateStrategy", "type") !== "RollingUpdate") return;
    const replicas = count(set, "spec", "replicas");
    const first = startOf(set) + partitionOf(set);
    const pods = (await this.#pods(set))
      .filter((pod) => ordinalOf(set, pod) >= first)
      .toSorted((left, right) => ordinalOf(set, right) - ordinalOf(set, left));
    const limit = field(set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable") ?? 1;
    let allowed = Math.max(1, resolveShare(limit, replicas, "down"));
    for (const pod of pods) {
      if (allowed <= 0) return;
      const isOld = revisionOf(pod.stored.labels) !== update.metadata.name;
      if (isOld && !pod.isTerminating) await this.#writer.remove("pods", pod.stored.object);
      if (isOld || !this.#isAvailable(set, pod)) allowed--;
    }
  }

  #isAvailable(set: ApiObject, pod: PodFacts): boolean {
    if (!pod.isActive || pod.phase !== "Running") return false;
    const minReadySeconds = count(set, "spec", "minReadySeconds");
    return untilAvailable(pod, minReadySeconds, this.#cluster.clock.now()) === 0;
  }

  async #report(
    key: string,
    { collisionCount, update }: Revisions,
    current: ApiObject,
  ): Promise<number | undefined> {
    const set = this.#cluster.get(resource, key)?.object;
    if (set === undefined) return undefined;
    const pods = (await this.#pods(set)).filter(({ isActive }) => isActive);
    const status = this.#statusOf(set, pods, current, update);
    const conditions = objects(set, "status", "conditions");
    const wanted = {
      observedGeneration: set.metadata.generation,
      ...status,
      collisionCount,
      ...(conditions.length > 0 && { conditions }),
    };
    if (!isJsonEqual(wanted, set["status"])) {
      await this.#writer.updateStatus(resource, { ...set, status: wanted });
    }
    const minReadySeconds = count(set, "spec", "minReadySeconds");
    const waits = pods
      .map((pod) => untilAvailable(pod, minReadySeconds, this.#cluster.clock.now()))
      .filter((delay) => delay > 0 && delay < Infinity);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  #statusOf(
    set: ApiObject,
    pods: readonly PodFacts[],
    current: ApiObject,
    update: ApiObject,
  ): JsonObject {
    const { name: updateRevision = "" } = update.metadata;
    const ofRevision = (name: string | undefined): number =>
      pods.filter(({ stored }) => revisionOf(stored.labels) === name).length;
    const ready = pods.filter(({ isReady, phase }) => isReady && phase === "Running").length;
    const replicas = count(set, "spec", "replicas");
    const updated = ofRevision(updateRevision);
    // `completeRollingUpdate`
    const isComplete =
      text(set, "spec", "updateStrategy", "type") === "RollingUpdate" &&
      [updated, ready, pods.length].every((number) => number === replicas);
    const currentRevision = isComplete ? updateRevision : current.metadata.name;
    const currentReplicas = isComplete ? updated : ofRevision(currentRevision);
    return {
      replicas: pods.length,
      ...(ready > 0 && { readyReplicas: ready }),
      ...(currentReplicas > 0 && { currentReplicas }),
      ...(updated > 0 && { updatedReplicas: updated }),
      currentRevision,
      updateRevision,
      availableReplicas: pods.filter((pod) => this.#isAvailable(set, pod)).length,
    };
  }
}

function partitionOf(set: ApiObject): number {
  const isRolling = text(set, "spec", "updateStrategy", "type") === "RollingUpdate";
  return isRolling ? count(set, "spec", "updateStrategy", "rollingUpdate", "partition") : 0;
}

function revisionOf(labels: Readonly<Record<string, string>> | undefined): string {
  return labels?.[revisionLabel] ?? "";
}
