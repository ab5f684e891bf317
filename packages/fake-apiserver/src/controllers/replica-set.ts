import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { setCondition, withoutCondition } from "./conditions.ts";
import { type Controller, controllerKeys, ownKey } from "./controller.ts";
import { claimObjects, type OwnerKind, selectorOf } from "./ownership.ts";
import { podKeysOf } from "./pod-keys.ts";
import { inOrderOfDeletion, podFacts, type PodFacts, untilAvailable } from "./pod-facts.ts";
import { podFromTemplate } from "./pod-template.ts";

/** A kind whose objects keep a number of pods. */
interface SetKind extends OwnerKind {
  /** Name of its storage. */
  readonly resource: string;
  readonly controller: string;
}

const replicaSets: SetKind = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  resource: "replicasets.apps",
  controller: "replicaset-controller",
};

const replicationControllers: SetKind = {
  apiVersion: "v1",
  kind: "ReplicationController",
  resource: "replicationcontrollers",
  controller: "replication-controller",
};

// Pods created or deleted in one call: k8s.io/kubernetes replica_set.go, `BurstReplicas`.
const burst = 500;

/** Keeps the number of pods of ReplicaSets (k8s.io/kubernetes pkg/controller/replicaset). */
export class ReplicaSetController implements Controller {
  readonly watches: Controller["watches"];
  readonly #kind: SetKind;
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;

  constructor(cluster: Cluster, kind: SetKind = replicaSets) {
    this.#kind = kind;
    this.#cluster = cluster;
    this.#writer = cluster.controller(kind.controller);
    this.watches = {
      [kind.resource]: ownKey,
      pods: podKeysOf(controllerKeys(kind.kind), cluster, kind.resource),
    };
  }

  async reconcile(key: string): Promise<number | undefined> {
    const stored = this.#cluster.get(this.#kind.resource, key);
    if (stored === undefined) return undefined;
    const set = stored.object;
    const pods = await this.#pods(set);
    const active = pods.filter(({ isActive }) => isActive);
    let failure: unknown;
    if (!stored.isTerminating) {
      failure = await this.#scale(set, active).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    return this.#report(key, failure);
  }

  async #pods(set: ApiObject): Promise<readonly PodFacts[]> {
    const found = await claimObjects({
      ...this.#kind,
      owner: set,
      cluster: this.#cluster,
      writer: this.#writer,
      resource: "pods",
    });
    return found.map(podFacts);
  }

  async #scale(set: ApiObject, active: readonly PodFacts[]): Promise<void> {
    const difference = active.length - count(set, "spec", "replicas");
    for (let missing = Math.min(-difference, burst); missing > 0; missing--) {
      await this.#writer.create("pods", podFromTemplate(this.#kind, set));
    }
    if (difference <= 0) return;
    for (const { stored } of inOrderOfDeletion(active).slice(0, Math.min(difference, burst))) {
      await this.#writer.remove("pods", stored.object);
    }
  }

  // Reads the pods again: their states after the writes are those that count.
  async #report(key: string, failure: unknown): Promise<number | undefined> {
    const stored = this.#cluster.get(this.#kind.resource, key);
    if (stored === undefined) return undefined;
    const set = stored.object;
    const pods = await this.#pods(set);
    const now = this.#cluster.clock.now();
    const minReadySeconds = count(set, "spec", "minReadySeconds");
    const status = statusOf(set, pods, { now, time: this.#cluster.time(), failure });
    if (!isJsonEqual(status, set["status"])) {
      await this.#writer.updateStatus(this.#kind.resource, { ...set, status });
    }
    if (failure !== undefined) throw failure;
    const waits = pods
      .filter(({ isActive }) => isActive)
      .map((pod) => untilAvailable(pod, minReadySeconds, now))
      .filter((delay) => delay > 0 && delay < Infinity);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }
}

/** The same for ReplicationControllers (k8s.io/kubernetes pkg/controller/replication). */
export class ReplicationManager extends ReplicaSetController {
  constructor(cluster: Cluster) {
    super(cluster, replicationControllers);
  }
}

interface Observed {
  readonly now: number;
  readonly time: string;
  readonly failure: unknown;
}

function statusOf(
  set: ApiObject,
  pods: readonly PodFacts[],
  { failure, now, time }: Observed,
): JsonObject {
  const active = pods.filter(({ isActive }) => isActive);
  const minReadySeconds = count(set, "spec", "minReadySeconds");
  const matchLabels = field(set, "spec", "template", "metadata", "labels");
  const isLabelled = selectorOf({ matchLabels });
  const counted = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter(({ stored }) => isLabelled(stored.labels)).length,
    readyReplicas: active.filter(({ isReady }) => isReady).length,
    availableReplicas: active.filter((pod) => untilAvailable(pod, minReadySeconds, now) === 0)
      .length,
  };
  const present = Object.entries(counted).filter(
    ([name, number]) => number > 0 || name === "replicas",
  );
  const had = objects(set, "status", "conditions");
  const failed = {
    type: "ReplicaFailure",
    status: "True",
    lastTransitionTime: time,
    reason: active.length < count(set, "spec", "replicas") ? "FailedCreate" : "FailedDelete",
    message: failure instanceof Error ? failure.message : String(failure),
  };
  const conditions =
    failure === undefined ? withoutCondition(had, failed.type) : setCondition(had, failed);
  return {
    ...Object.fromEntries(present),
    ...(set.kind === replicaSets.kind && {
      terminatingReplicas: pods.filter(({ isTerminating }) => isTerminating).length,
    }),
    observedGeneration: recordOf(set.metadata)["generation"],
    ...(conditions.length > 0 && { conditions }),
  };
}
