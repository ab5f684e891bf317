import { isJsonEqual, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { ApiError } from "../api/api-error.ts";
import { count, field, objects } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { setCondition } from "./conditions.ts";
import { controllerOf } from "./controller.ts";
import { scaledSizes } from "./deployment-scale.ts";
import {
  byAge,
  findNewSet,
  hasDeadline,
  hashLabel,
  isRecreate,
  newSetAnnotations,
  replicasOf,
  revisionAnnotation,
  revisionOf,
  totalReplicas,
  totalStatus,
  withReplicaAnnotations,
} from "./deployment-sets.ts";
import { deploymentCondition, type DeploymentState } from "./deployment-status.ts";
import { claimObjects, controllerReference } from "./ownership.ts";
import { podFacts } from "./pod-facts.ts";
import { rollingLimits } from "./rolling-update.ts";
import { templateHash } from "./template-hash.ts";

const resource = "deployments.apps";
const setResource = "replicasets.apps";
const owner = { apiVersion: "apps/v1", kind: "Deployment" };

/** One step of a Deployment's roll-out, over the ReplicaSets that it controls. */
export class DeploymentRollout implements DeploymentState {
  deployment: ApiObject = { metadata: {} };
  sets: readonly ApiObject[] = [];
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;
  readonly #key: string;

  constructor(cluster: Cluster, writer: ClusterWriter, key: string) {
    this.#cluster = cluster;
    this.#writer = writer;
    this.#key = key;
  }

  get newSet(): ApiObject | undefined {
    return findNewSet(this.deployment, this.sets);
  }

  get #oldSets(): readonly ApiObject[] {
    const { newSet } = this;
    return this.sets.filter((set) => set.metadata.uid !== newSet?.metadata.uid);
  }

  /** Reads the Deployment and claims its ReplicaSets. Returns false if the Deployment is gone. */
  async claimSets(): Promise<boolean> {
    const stored = this.#cluster.get(resource, this.#key);
    if (stored === undefined) return false;
    this.deployment = stored.object;
    await claimObjects({
      ...owner,
      owner: this.deployment,
      cluster: this.#cluster,
      writer: this.#writer,
      resource: setResource,
    });
    this.refresh();
    return true;
  }

  /** Reads the Deployment and its ReplicaSets again, after writes. */
  refresh(): void {
    this.deployment = this.#cluster.get(resource, this.#key)?.object ?? this.deployment;
    const { namespace = "", uid } = this.deployment.metadata;
    this.sets = this.#cluster
      .list(setResource, namespace)
      .map(({ object }) => object)
      .filter((object) => controllerOf(object)?.uid === uid);
  }

  /** Moves on with the roll-out. Returns whether anything was scaled. */
  async step(): Promise<boolean> {
    return isRecreate(this.deployment) ? this.#recreate() : this.#roll();
  }

  /** Spreads a new number of pods over the ReplicaSets. */
  async scale(): Promise<void> {
    await this.#syncRevision(false);
    for (const [set, size] of scaledSizes(this)) await this.#resize(set, size);
    this.refresh();
  }

  /** Deletes the oldest ReplicaSets without pods, except for those of the history. */
  async cleanUp(): Promise<void> {
    const limit = field(this.deployment, "spec", "revisionHistoryLimit");
    if (typeof limit !== "number") return;
    const old = this.#oldSets
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .toSorted((left, right) => revisionOf(left) - revisionOf(right));
    for (const set of old.slice(0, Math.max(0, old.length - limit))) {
      const isSeen = (set.metadata.generation ?? 0) <= count(set, "status", "observedGeneration");
      const isEmpty = replicasOf(set) === 0 && count(set, "status", "replicas") === 0;
      if (isSeen && isEmpty) await this.#writer.remove(setResource, set);
    }
  }

  async #roll(): Promise<boolean> {
    const newSet = await this.#syncRevision(true);
    if (newSet !== undefined && (await this.#growNew(newSet))) return true;
    return this.#shrinkOld();
  }

  async #growNew(newSet: ApiObject): Promise<boolean> {
    const wanted = replicasOf(this.deployment);
    if (replicasOf(newSet) === wanted) return false;
    const size = replicasOf(newSet) > wanted ? wanted : this.#newSize(replicasOf(newSet));
    return this.#scaleSet(newSet, size);
  }

  // `NewRSNewReplicas`
  #newSize(current: number): number {
    const wanted = replicasOf(this.deployment);
    if (isRecreate(this.deployment)) return wanted;
    const most = wanted + rollingLimits(this.deployment).surge;
    const total = totalReplicas(this.sets);
    return total >= most ? current : current + Math.min(most - total, wanted - current);
  }

  // `reconcileOldReplicaSets`
  async #shrinkOld(): Promise<boolean> {
    const { newSet } = this;
    const old = byAge(this.#oldSets.filter((set) => replicasOf(set) > 0));
    if (old.length === 0) return false;
    const least = replicasOf(this.deployment) - rollingLimits(this.deployment).unavailable;
    const missing =
      newSet === undefined ? 0 : replicasOf(newSet) - count(newSet, "status", "availableReplicas");
    let removable = totalReplicas(this.sets) - least - missing;
    if (removable <= 0) return false;
    let isScaled = false;
    for (const set of old) {
      const unhealthy = replicasOf(set) - count(set, "status", "availableReplicas");
      const part = Math.min(removable, Math.max(0, unhealthy));
      if (part === 0) continue;
      removable -= part;
      isScaled = (await this.#scaleSet(set, replicasOf(set) - part)) || isScaled;
    }
    this.refresh();
    let spare = totalStatus(this.sets, "availableReplicas") - least;
    for (const set of byAge(this.#oldSets)) {
      const part = Math.min(replicasOf(set), Math.max(0, spare));
      if (part === 0) continue;
      spare -= part;
      isScaled = (await this.#scaleSet(set, replicasOf(set) - part)) || isScaled;
    }
    return isScaled;
  }

  // `rolloutRecreate`
  async #recreate(): Promise<boolean> {
    await this.#syncRevision(false);
    let isScaled = false;
    for (const set of this.#oldSets) {
      if (replicasOf(set) > 0) isScaled = (await this.#scaleSet(set, 0)) || isScaled;
    }
    if (isScaled || this.#hasOldPods()) return isScaled;
    const newSet = this.newSet ?? (await this.#syncRevision(true));
    return newSet === undefined ? false : this.#scaleSet(newSet, replicasOf(this.deployment));
  }

  #hasOldPods(): boolean {
    const old = new Set(this.#oldSets.map(({ metadata }) => metadata.uid));
    return this.#cluster
      .list("pods", this.deployment.metadata.namespace ?? "")
      .map(podFacts)
      .some(({ owner: uid, phase }) => old.has(uid) && phase !== "Succeeded" && phase !== "Failed");
  }

  async #scaleSet(set: ApiObject, size: number): Promise<boolean> {
    if (replicasOf(set) === size) return false;
    await this.#resize(set, size);
    this.refresh();
    return true;
  }

  async #resize(set: ApiObject, replicas: number): Promise<void> {
    const { metadata } = set;
    const annotations = withReplicaAnnotations(this.deployment, metadata.annotations ?? {});
    const spec = { ...recordOf(set["spec"]), replicas };
    const changed = { ...set, metadata: { ...metadata, annotations }, spec };
    if (isJsonEqual(changed, set)) return;
    await this.#writer.update(setResource, changed);
  }

  // `getAllReplicaSetsAndSyncRevision`: numbers the set of the template, and creates it if wanted.
  async #syncRevision(creates: boolean): Promise<ApiObject | undefined> {
    const { newSet } = this;
    const revision = Math.max(0, ...this.#oldSets.map(revisionOf)) + 1;
    if (newSet === undefined) return creates ? this.#createSet(revision) : undefined;
    const { metadata } = newSet;
    const annotations = newSetAnnotations(this.deployment, metadata.annotations ?? {}, revision);
    const { minReadySeconds = 0 } = recordOf(this.deployment["spec"]);
    const spec = { ...recordOf(newSet["spec"]), ...(minReadySeconds !== 0 && { minReadySeconds }) };
    const changed = { ...newSet, metadata: { ...metadata, annotations }, spec };
    if (!isJsonEqual(changed, newSet)) await this.#writer.update(setResource, changed);
    await this.#noteRevision(
      annotations[revisionAnnotation] ?? "",
      "FoundNewReplicaSet",
      `Found new replica set "${metadata.name}"`,
    );
    return this.newSet;
  }

  async #createSet(revision: number): Promise<ApiObject | undefined> {
    const { deployment } = this;
    const { template, minReadySeconds, selector } = recordOf(deployment["spec"]);
    const hash = templateHash(template, count(deployment, "status", "collisionCount"));
    const { metadata: given, ...podSpec } = recordOf(template);
    const labels = { ...recordOf(recordOf(given)["labels"]), [hashLabel]: hash };
    const matchLabels = { ...recordOf(recordOf(selector)["matchLabels"]), [hashLabel]: hash };
    const { name = "", namespace } = deployment.metadata;
    const annotations = newSetAnnotations(deployment, {}, revision);
    const set: ApiObject = {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: withReplicaAnnotations(deployment, annotations),
        ownerReferences: [controllerReference(owner, deployment)],
      },
      spec: {
        replicas: this.#newSize(0),
        ...(minReadySeconds !== undefined && { minReadySeconds }),
        selector: { ...recordOf(selector), matchLabels },
        template: { metadata: { ...recordOf(given), labels }, ...podSpec },
      },
    };
    await this.#createOrCount(set);
    const message = `Created new replica set "${name}-${hash}"`;
    await this.#noteRevision(String(revision), "NewReplicaSetCreated", message);
    return this.newSet;
  }

  // Another object with the name means that two templates have one hash, which the count changes.
  async #createOrCount(set: ApiObject): Promise<void> {
    try {
      await this.#writer.create(setResource, set);
    } catch (error) {
      const { deployment } = this;
      if (!(error instanceof ApiError)) throw error;
      const status = recordOf(deployment["status"]);
      if (error.reason === "AlreadyExists") {
        const collisionCount = count(status, "collisionCount") + 1;
        const changed = { ...deployment, status: { ...status, collisionCount } };
        await this.#writer.updateStatus(resource, changed);
      } else if (hasDeadline(deployment)) {
        const failed = this.#progress("False", "ReplicaSetCreateError", error.message);
        const conditions = setCondition(objects(status, "conditions"), failed);
        const changed = { ...deployment, status: { ...status, conditions } };
        await this.#writer.updateStatus(resource, changed);
      }
      throw error;
    }
  }

  async #noteRevision(revision: string, reason: string, message: string): Promise<void> {
    this.refresh();
    const { deployment } = this;
    const before = objects(deployment, "status", "conditions");
    const isFound = reason === "FoundNewReplicaSet";
    const hasProgress = before.some(({ type }) => type === "Progressing");
    const notes = hasDeadline(deployment) && (!isFound || !hasProgress);
    const conditions = notes
      ? setCondition(before, this.#progress("True", reason, message))
      : before;
    const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: revision };
    const changed = {
      ...deployment,
      metadata: { ...deployment.metadata, annotations },
      ...(conditions.length > 0 && {
        status: { ...recordOf(deployment["status"]), conditions },
      }),
    };
    if (isJsonEqual(changed, deployment)) return;
    await this.#writer.updateStatus(resource, changed);
    this.refresh();
  }

  #progress(status: string, reason: string, message: string): ReturnType<typeof recordOf> {
    const time = { now: this.#cluster.clock.now(), text: this.#cluster.time() };
    return deploymentCondition(time, ["Progressing", status, reason, message]);
  }
}
