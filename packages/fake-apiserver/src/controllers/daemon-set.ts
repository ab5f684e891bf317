import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, text } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { type Controller, controllerKeys, ownKey } from "./controller.ts";
import { type DaemonNode, daemonNodes, daemonPod, daemonStatus } from "./daemon-pods.ts";
import { claimObjects } from "./ownership.ts";
import { podFacts, type PodFacts, untilAvailable } from "./pod-facts.ts";
import { podKeysOf } from "./pod-keys.ts";
import { type Revisions, type RevisionedSet, syncRevisions, truncateHistory } from "./revisions.ts";
import { resolveShare } from "./rolling-update.ts";

const resource = "daemonsets.apps";
const kind = { apiVersion: "apps/v1", kind: "DaemonSet" };
const hashLabel = "controller-revision-hash";

/** Keeps one pod on each node that a DaemonSet selects (k8s.io/kubernetes pkg/controller/daemon). */
export class DaemonSetController implements Controller {
  readonly watches: Controller["watches"];
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controller("daemon-set-controller");
    this.watches = {
      [resource]: ownKey,
      pods: podKeysOf(controllerKeys("DaemonSet"), cluster, resource),
      nodes: () => cluster.list(resource).map(({ key }) => key),
    };
  }

  async reconcile(key: string): Promise<number | undefined> {
    const stored = this.#cluster.get(resource, key);
    if (stored === undefined || stored.isTerminating) return undefined;
    const set = stored.object;
    const revisioned = { cluster: this.#cluster, writer: this.#writer, kind, set, hashLabel };
    const revisions = await syncRevisions(revisioned);
    const hash = revisions.update.metadata.labels?.[hashLabel] ?? "";
    await this.#place(set, hash);
    if (text(set, "spec", "updateStrategy", "type") === "RollingUpdate") {
      await this.#update(set, hash);
    }
    await this.#truncate(revisioned, revisions);
    return this.#report(key, revisions, hash);
  }

  async #pods(set: ApiObject): Promise<readonly PodFacts[]> {
    const found = await claimObjects({
      ...kind,
      owner: set,
      cluster: this.#cluster,
      writer: this.#writer,
      resource: "pods",
    });
    return found.map(podFacts);
  }

  async #nodes(set: ApiObject): Promise<readonly DaemonNode[]> {
    const nodes = this.#cluster.list("nodes").map(({ object }) => object);
    return daemonNodes(set, nodes, await this.#pods(set));
  }

  // `podsShouldBeOnNode`
  async #place(set: ApiObject, hash: string): Promise<void> {
    const nodes = await this.#nodes(set);
    const known = new Set(nodes.flatMap(({ pods }) => pods));
    for (const pod of await this.#pods(set)) {
      const isStray = !known.has(pod) && pod.node !== "" && !pod.isTerminating;
      if (isStray) await this.#writer.remove("pods", pod.stored.object);
    }
    const surge = this.#limit(set, "maxSurge", nodes);
    for (const { name, pods, runs, stays } of nodes) {
      const ended = pods.filter(({ phase }) => phase === "Failed" || phase === "Succeeded");
      const active = pods.filter(({ isActive }) => isActive);
      const old = active.filter(({ stored }) => stored.labels?.[hashLabel] !== hash);
      const current = active.filter((pod) => !old.includes(pod));
      // During a surge, one pod of each revision may run.
      const extra = surge > 0 ? [...old.slice(1), ...current.slice(1)] : active.slice(1);
      const excess = stays ? [...ended, ...extra] : [...ended, ...active];
      for (const pod of excess) {
        if (!pod.isTerminating) await this.#writer.remove("pods", pod.stored.object);
      }
      if (runs && active.length === 0 && pods.every(({ isTerminating }) => !isTerminating)) {
        await this.#writer.create("pods", daemonPod(kind, set, name, hash));
      }
    }
  }

  // `rollingUpdate`
  async #update(set: ApiObject, hash: string): Promise<void> {
    const nodes = (await this.#nodes(set)).filter(({ runs }) => runs);
    const isOld = ({ stored }: PodFacts): boolean => stored.labels?.[hashLabel] !== hash;
    const surge = this.#limit(set, "maxSurge", nodes);
    const states = nodes.map(({ name, pods }) => {
      const active = pods.filter(({ isActive }) => isActive);
      return { name, old: active.find(isOld), current: active.find((pod) => !isOld(pod)) };
    });
    if (surge > 0) {
      await this.#surge(set, hash, surge, states);
      return;
    }
    const unavailable = states.filter(({ current, old }) => {
      const pod = current ?? old;
      return pod === undefined || !this.#isAvailable(set, pod);
    });
    let allowed = this.#limit(set, "maxUnavailable", nodes) - unavailable.length;
    for (const { current, old } of states) {
      if (current !== undefined || old === undefined) continue;
      if (this.#isAvailable(set, old) && allowed-- <= 0) continue;
      await this.#writer.remove("pods", old.stored.object);
    }
  }

  async #surge(
    set: ApiObject,
    hash: string,
    surge: number,
    states: readonly {
      readonly name: string;
      readonly old: PodFacts | undefined;
      readonly current: PodFacts | undefined;
    }[],
  ): Promise<void> {
    const both = states.filter(({ current, old }) => current !== undefined && old !== undefined);
    let allowed = surge - both.length;
    for (const { current, name, old } of states) {
      if (old === undefined) continue;
      if (current !== undefined) {
        if (this.#isAvailable(set, current)) await this.#writer.remove("pods", old.stored.object);
      } else if (!this.#isAvailable(set, old) || allowed-- > 0) {
        await this.#writer.create("pods", daemonPod(kind, set, name, hash));
      }
    }
  }

  #limit(set: ApiObject, name: string, nodes: readonly DaemonNode[]): number {
    const desired = nodes.filter(({ runs }) => runs).length;
    const value = field(set, "spec", "updateStrategy", "rollingUpdate", name);
    return resolveShare(value, desired, "up");
  }

  #isAvailable(set: ApiObject, pod: PodFacts): boolean {
    const minReadySeconds = count(set, "spec", "minReadySeconds");
    return untilAvailable(pod, minReadySeconds, this.#cluster.clock.now()) === 0;
  }

  async #truncate(revisioned: RevisionedSet, { all, update }: Revisions): Promise<void> {
    const pods = await this.#pods(revisioned.set);
    const used = new Set(pods.map(({ stored }) => stored.labels?.[hashLabel]));
    await truncateHistory(revisioned, all, (revision) => {
      return revision === update || used.has(revision.metadata.labels?.[hashLabel]);
    });
  }

  async #report(key: string, revisions: Revisions, hash: string): Promise<number | undefined> {
    const set = this.#cluster.get(resource, key)?.object;
    if (set === undefined) return undefined;
    const now = this.#cluster.clock.now();
    const nodes = await this.#nodes(set);
    const isCurrent = ({ stored }: PodFacts): boolean => stored.labels?.[hashLabel] === hash;
    const counts = daemonStatus(set, nodes, { now, isCurrent });
    const { collisionCount } = revisions;
    const conditions = objects(set, "status", "conditions");
    const status: JsonObject = {
      ...counts,
      observedGeneration: set.metadata.generation,
      ...(collisionCount > 0 && { collisionCount }),
      ...(conditions.length > 0 && { conditions }),
    };
    if (!isJsonEqual(status, recordOf(set["status"]))) {
      await this.#writer.updateStatus(resource, { ...set, status });
    }
    const waits = nodes
      .flatMap(({ pods }) => pods)
      .map((pod) => untilAvailable(pod, count(set, "spec", "minReadySeconds"), now))
      .filter((delay) => delay > 0 && delay < Infinity);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }
}
