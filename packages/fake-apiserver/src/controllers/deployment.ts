import { isJsonEqual, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { flag, objects } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { setCondition } from "./conditions.ts";
import {
  type Change,
  type Controller,
  controllerKeys,
  controllerOf,
  ownKey,
} from "./controller.ts";
import { DeploymentRollout } from "./deployment-rollout.ts";
import { hasDeadline, isScaled, replicasOf } from "./deployment-sets.ts";
import {
  calculateStatus,
  deploymentCondition,
  isComplete,
  rolloutStatus,
  type StatusTime,
  timedOutReason,
  untilTimeout,
} from "./deployment-status.ts";
import { conditionOf } from "./pod-facts.ts";

const resource = "deployments.apps";

/** Rolls out Deployments (k8s.io/kubernetes pkg/controller/deployment). */
export class DeploymentController implements Controller {
  readonly watches: Controller["watches"];
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controller("deployment-controller");
    this.watches = {
      [resource]: ownKey,
      "replicasets.apps": controllerKeys("Deployment"),
      pods: (change) => this.#ofRemovedPod(change),
    };
  }

  async reconcile(key: string): Promise<number | undefined> {
    const stored = this.#cluster.get(resource, key);
    if (stored === undefined) return undefined;
    if (!stored.isTerminating) await this.#notePause(stored.object);
    const rollout = new DeploymentRollout(this.#cluster, this.#writer, key);
    if (!(await rollout.claimSets())) return undefined;
    const { deployment } = rollout;
    const isPaused = flag(deployment, "spec", "paused");
    if (stored.isTerminating) return this.#report(rollout, false);
    if (isPaused || rollout.sets.some((set) => replicasOf(set) > 0 && isScaled(deployment, set))) {
      await rollout.scale();
      return this.#report(rollout, false);
    }
    if (await rollout.step()) return this.#report(rollout, true);
    const next = await this.#report(rollout, true);
    const current = rollout.deployment;
    if (isComplete(current, recordOf(current["status"]))) await rollout.cleanUp();
    return next;
  }

  // A paused roll-out must not time out: `checkPausedConditions`.
  async #notePause(deployment: ApiObject): Promise<void> {
    const condition = conditionOf(deployment, "Progressing");
    if (!hasDeadline(deployment) || condition?.["reason"] === timedOutReason) return;
    const isPaused = flag(deployment, "spec", "paused");
    const isNoted = condition?.["reason"] === "DeploymentPaused";
    if (isPaused === isNoted) return;
    const [reason, message] = isPaused
      ? ["DeploymentPaused", "Deployment is paused"]
      : ["DeploymentResumed", "Deployment is resumed"];
    const noted = deploymentCondition(this.#time(), ["Progressing", "Unknown", reason, message]);
    const conditions = setCondition(objects(deployment, "status", "conditions"), noted);
    const status = { ...recordOf(deployment["status"]), conditions };
    await this.#writer.updateStatus(resource, { ...deployment, status });
  }

  async #report(rollout: DeploymentRollout, isRolling: boolean): Promise<number | undefined> {
    rollout.refresh();
    const { deployment } = rollout;
    const time = this.#time();
    const status = isRolling ? rolloutStatus(rollout, time) : calculateStatus(rollout, time);
    if (!isJsonEqual(status, deployment["status"])) {
      rollout.deployment = await this.#writer.updateStatus(resource, { ...deployment, status });
    }
    const delay = untilTimeout(rollout.deployment, time.now);
    return delay > 0 && delay < Infinity ? delay : undefined;
  }

  #time(): StatusTime {
    return { now: this.#cluster.clock.now(), text: this.#cluster.time() };
  }

  // `Recreate` waits for the last old pod.
  #ofRemovedPod({ isDeleted, stored }: Change): Iterable<string> {
    const set = isDeleted ? controllerOf(stored.object) : undefined;
    if (set?.kind !== "ReplicaSet") return [];
    const owner = this.#cluster.get("replicasets.apps", `${stored.namespace}/${set.name}`);
    const deployment = owner && controllerOf(owner.object);
    return deployment === undefined ? [] : [`${stored.namespace}/${deployment.name}`];
  }
}
