import { isJsonEqual, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { objects, text } from "../base/read-fields.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { setCondition } from "./conditions.ts";
import type { Change, Controller } from "./controller.ts";
import { fitsNode } from "./node-fit.ts";
import { podFacts } from "./pod-facts.ts";
import type { PodHook, SimulatedPodStatus } from "./pod-hook.ts";
import { endedStatus, startedStatus } from "./pod-status.ts";

// Long enough that a watch shows a pod of a Job running, short enough for tests.
const runMs = 1000;

/**
 * Assigns pods to nodes, if there are any, and starts them: the scheduler and the kubelets of a
 * cluster. A pod that is not to be restarted succeeds one second after its start.
 */
export class PodController implements Controller {
  readonly watches: Controller["watches"];
  readonly #cluster: Cluster;
  readonly #kubelet: ClusterWriter;
  readonly #scheduler: ClusterWriter;
  readonly #hook: PodHook | undefined;
  /** Called with the keys of pods whose hook has answered. */
  readonly #resume: (key: string) => void;
  // Answers of the hook by uid; absent while it is asked.
  readonly #answers = new Map<string, { readonly status: SimulatedPodStatus | undefined }>();
  readonly #asked = new Set<string>();
  #lastAddress = 1;

  constructor(cluster: Cluster, hook: PodHook | undefined, resume: (key: string) => void) {
    this.#cluster = cluster;
    this.#hook = hook;
    this.#resume = resume;
    this.#kubelet = cluster.writer({ username: "system:node:fake", manager: "kubelet" });
    this.#scheduler = cluster.writer({
      username: "system:kube-scheduler",
      manager: "kube-scheduler",
    });
    this.watches = {
      pods: (change) => this.#changed(change),
      nodes: () => this.#waitingPods(),
    };
  }

  async reconcile(key: string): Promise<number | undefined> {
    const stored = this.#cluster.get("pods", key);
    if (stored === undefined || stored.isTerminating) return undefined;
    const { phase } = podFacts(stored);
    if (phase === "Running") return this.#finish(stored);
    const isNew = phase === "Pending" || phase === "";
    const pod = stored.object;
    // A pod that its hook keeps pending has been started.
    const isStarted = text(pod, "status", "startTime") !== "";
    if (!isNew || isStarted || objects(pod, "spec", "schedulingGates").length > 0) return undefined;
    if (!(await this.#schedule(pod))) return undefined;
    const answer = this.#ask(pod, key);
    const scheduled = this.#cluster.get("pods", key)?.object;
    if (answer === undefined || scheduled === undefined) return undefined;
    await this.#start(scheduled, answer.status);
    return undefined;
  }

  #changed({ isDeleted, stored }: Change): Iterable<string> {
    if (!isDeleted) return stored.isTerminating ? [] : [stored.key];
    const { uid = "" } = stored.object.metadata;
    this.#answers.delete(uid);
    this.#asked.delete(uid);
    return [];
  }

  #waitingPods(): Iterable<string> {
    const pods = this.#cluster.list("pods").map(podFacts);
    const waiting = pods.filter(({ node, phase }) => node === "" && phase === "Pending");
    return waiting.map(({ stored }) => stored.key);
  }

  /** Returns the answer of the hook; `undefined` while it is awaited. */
  #ask(
    pod: ApiObject,
    key: string,
  ): { readonly status: SimulatedPodStatus | undefined } | undefined {
    const { uid = "" } = pod.metadata;
    const known = this.#answers.get(uid);
    if (known !== undefined || this.#hook === undefined) return known ?? { status: undefined };
    if (this.#asked.has(uid)) return undefined;
    const answer = this.#hook({ apiVersion: "v1", kind: "Pod", ...structuredClone(pod) });
    if (!(answer instanceof Promise)) {
      this.#answers.set(uid, { status: answer });
      return { status: answer };
    }
    this.#asked.add(uid);
    const resume = (status: SimulatedPodStatus | undefined): void => {
      if (!this.#asked.delete(uid)) return;
      this.#answers.set(uid, { status });
      this.#resume(key);
    };
    // A rejected promise starts the pod, too: waiting for it in vain would be worse.
    answer.then(resume, () => resume(undefined));
    return undefined;
  }

  async #start(pod: ApiObject, changed: SimulatedPodStatus | undefined): Promise<void> {
    const podIP = text(pod, "status", "podIP") || this.#nextAddress();
    const start = { time: this.#cluster.time(), podIP, hostIP: this.#hostAddress(pod) };
    const status = startedStatus(pod, start, changed);
    if (isJsonEqual(status, pod["status"])) return;
    await this.#kubelet.updateStatus("pods", { ...pod, status });
  }

  async #finish(stored: StoredObject): Promise<number | undefined> {
    const pod = stored.object;
    if (text(pod, "spec", "restartPolicy") === "Always") return undefined;
    if (this.#ask(pod, stored.key)?.status !== undefined) return undefined;
    const started = Date.parse(text(pod, "status", "startTime"));
    const delay = started + runMs - this.#cluster.clock.now();
    if (delay > 0) return delay;
    const status = endedStatus(pod, "Succeeded", this.#cluster.time());
    await this.#kubelet.updateStatus("pods", { ...pod, status });
    return undefined;
  }

  /** Assigns a pod to the node with the fewest pods. Returns false if it fits on none of them. */
  async #schedule(pod: ApiObject): Promise<boolean> {
    const nodes = this.#cluster.list("nodes").filter(({ isTerminating }) => !isTerminating);
    if (nodes.length === 0 || text(pod, "spec", "nodeName") !== "") return true;
    const fitting = nodes.filter(({ object }) => fitsNode(pod, object));
    const perNode = new Map<string, number>();
    for (const { node } of this.#cluster.list("pods").map(podFacts)) {
      perNode.set(node, (perNode.get(node) ?? 0) + 1);
    }
    const [chosen] = fitting.toSorted(
      (left, right) => (perNode.get(left.name) ?? 0) - (perNode.get(right.name) ?? 0),
    );
    if (chosen !== undefined) {
      await this.#scheduler.bind(pod, chosen.name);
      return true;
    }
    const unscheduled = {
      type: "PodScheduled",
      status: "False",
      lastProbeTime: null,
      lastTransitionTime: this.#cluster.time(),
      observedGeneration: pod.metadata.generation,
      reason: "Unschedulable",
      message: `0/${nodes.length} nodes are available: ${nodes.length} node(s) didn't match Pod's node affinity/selector or had untolerated taint(s).`,
    };
    const conditions = setCondition(objects(pod, "status", "conditions"), unscheduled);
    const status = { ...recordOf(pod["status"]), conditions };
    await this.#scheduler.updateStatus("pods", { ...pod, status });
    return false;
  }

  #hostAddress(pod: ApiObject): string {
    const node = this.#cluster.get("nodes", text(pod, "spec", "nodeName"));
    const addresses = objects(node?.object, "status", "addresses");
    return text(
      addresses.find(({ type }) => type === "InternalIP"),
      "address",
    );
  }

  // 10.244.0.0/16, the usual range of pods.
  #nextAddress(): string {
    const used = new Set(this.#cluster.list("pods").map(addressOf));
    let address = "";
    do {
      this.#lastAddress = (this.#lastAddress % 65_533) + 1;
      address = `10.244.${this.#lastAddress >> 8}.${this.#lastAddress & 255}`;
    } while (used.has(address) && used.size < 65_000);
    return address;
  }
}

const addresses = new WeakMap<StoredObject, string>();

function addressOf(stored: StoredObject): string {
  let address = addresses.get(stored);
  if (address === undefined) {
    address = text(stored.object, "status", "podIP");
    addresses.set(stored, address);
  }
  return address;
}
