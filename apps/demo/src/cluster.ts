import type { Random } from "@listwatch/core-fifo";
import { Agenda } from "./agenda.ts";
import {
  burstJob,
  deployments,
  jobs,
  namespaces,
  nodes,
  type DeploymentPlan,
  type JobPlan,
} from "./cluster-plan.ts";
import {
  createDeployment,
  createObject,
  patchStatus,
  podPath,
  type Operation,
} from "./operation.ts";
import {
  crashedStatus,
  creatingStatus,
  finishedStatus,
  podManifest,
  runningStatus,
  type PodFacts,
} from "./pod-states.ts";

interface Pod {
  readonly facts: PodFacts;
  restarts: number;
  startedAtMs: number;
  /** What happens next with this pod; anything planned before it is void. */
  plan: object | undefined;
}

interface Deployment {
  readonly plan: DeploymentPlan;
  hash: string;
  pods: Pod[];
}

// No vowels and nothing that looks alike: the alphabet of generated names, k8s.io/apimachinery
// util/rand.
const nameAlphabet: readonly string[] = "bcdfghjklmnpqrstvwxz2456789".split("");

/**
 * A small cluster that lives: deployments that scale and roll out, jobs that come and go, pods that
 * go through their phases and sometimes crash. It decides only _what_ happens _when_;
 * {@link Cluster.advance} hands out the requests. The same random numbers and times give the same
 * requests.
 */
export class Cluster {
  readonly #random: Random;
  readonly #agenda = new Agenda<Operation>();
  readonly #deployments: readonly Deployment[];
  readonly #podsByPath = new Map<string, Pod>();
  #nowMs: number;
  #lastAddress = 0;
  #lastJob = 0;

  constructor(random: Random, startMs: number) {
    this.#random = random;
    this.#nowMs = startMs;
    this.#deployments = deployments.map((plan) => ({ plan, hash: this.#letters(9), pods: [] }));
  }

  /** When the next request is due, milliseconds since 1970. */
  get nextDueMs(): number {
    return this.#agenda.nextDueMs;
  }

  /** The requests that fill an empty API server with the cluster as it stands, in order. */
  setUp(): Operation[] {
    const operations: Operation[] = namespaces.map((name) => {
      return createObject("/api/v1/namespaces", {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name },
      });
    });
    for (const name of nodes) {
      const labels = { "kubernetes.io/hostname": name };
      const object = { apiVersion: "v1", kind: "Node", metadata: { name, labels } };
      operations.push(createObject("/api/v1/nodes", object));
    }
    for (const deployment of this.#deployments) {
      operations.push(createDeployment(deployment.plan));
      for (let index = 0; index < deployment.plan.minReplicas; index++) {
        const pod = this.#newPod(deployment);
        deployment.pods.push(pod);
        operations.push(this.#create(pod), this.#bind(pod), this.#started(pod));
      }
    }
    this.#repeat(4000, 12_000, () => this.#rollOut());
    this.#repeat(1500, 4000, () => this.#scale());
    this.#repeat(700, 2200, () => this.#startJob(this.#pick(jobs)));
    return operations;
  }

  /** The requests that are due up to a time, oldest first. */
  advance(nowMs: number): Operation[] {
    const operations: Operation[] = [];
    for (const act of this.#agenda.due(nowMs)) {
      this.#nowMs = nowMs;
      const operation = act();
      if (operation !== undefined) operations.push(operation);
    }
    return operations;
  }

  /** Starts `size` pods at once; they run for a few seconds and go. */
  burst(size: number, nowMs: number): Operation[] {
    this.#nowMs = nowMs;
    return Array.from({ length: size }, () => this.#startJob(burstJob));
  }

  /** Tells that another client deleted an object. Does nothing for paths other than those of pods. */
  forget(path: string): void {
    const pod = this.#podsByPath.get(path);
    if (pod !== undefined) this.#remove(pod);
  }

  /** A new version of one deployment: each pod gets a successor, then its predecessor is terminated. */
  #rollOut(): undefined {
    const deployment = this.#pick(this.#deployments);
    const { plan, pods } = deployment;
    if (pods.length > plan.maxReplicas) return;
    deployment.hash = this.#letters(9);
    pods.forEach((old, index) => {
      const atMs = index * this.#between(600, 1200);
      this.#agenda.add(this.#nowMs + atMs, () => this.#join(deployment));
      this.#agenda.add(this.#nowMs + atMs + 3500, () => this.#leave(deployment, old));
    });
  }

  #scale(): Operation | undefined {
    const deployment = this.#pick(this.#deployments);
    const { minReplicas, maxReplicas } = deployment.plan;
    const wanted = Math.round(this.#between(minReplicas, maxReplicas));
    const newest = deployment.pods.at(-1);
    if (wanted > deployment.pods.length) return this.#join(deployment);
    if (wanted < deployment.pods.length && newest) return this.#leave(deployment, newest);
    return undefined;
  }

  #join(deployment: Deployment): Operation {
    const pod = this.#newPod(deployment);
    deployment.pods.push(pod);
    this.#schedule(pod, () => {
      if (this.#random() < 0.1)
        this.#plan(pod, this.#between(4000, 15_000), () => this.#crash(pod));
    });
    return this.#create(pod);
  }

  #leave(deployment: Deployment, pod: Pod): Operation | undefined {
    if (!deployment.pods.includes(pod)) return undefined;
    deployment.pods = deployment.pods.filter((other) => other !== pod);
    return this.#terminate(pod);
  }

  #startJob(plan: JobPlan): Operation {
    const name = `${plan.name}-${this.#letters(5)}`;
    const labels = {
      app: plan.name,
      "batch.kubernetes.io/job-name": `${plan.name}-${++this.#lastJob}`,
    };
    const pod = this.#addPod(plan.namespace, name, labels, plan.name, plan.image, undefined);
    this.#schedule(pod, () => {
      this.#plan(pod, this.#between(1500, 5000), () => this.#finish(pod));
    });
    return this.#create(pod);
  }

  /** The way of every pod: bound to a node, its image pulled, its container started. */
  #schedule(pod: Pod, onRunning: () => void): void {
    this.#plan(pod, this.#between(100, 500), () => {
      this.#plan(pod, this.#between(100, 400), () => {
        this.#plan(pod, this.#between(400, 1800), () => {
          onRunning();
          return this.#started(pod);
        });
        return patchStatus(pod.facts, creatingStatus(pod.facts, this.#history(pod)));
      });
      return this.#bind(pod);
    });
  }

  #crash(pod: Pod): Operation {
    pod.restarts++;
    this.#plan(pod, this.#between(2000, 6000), () => this.#started(pod));
    return patchStatus(pod.facts, crashedStatus(pod.facts, this.#history(pod)));
  }

  #finish(pod: Pod): Operation {
    const phase = this.#random() < 0.85 ? "Succeeded" : "Failed";
    this.#plan(pod, this.#between(2000, 5000), () => this.#terminate(pod));
    return patchStatus(pod.facts, finishedStatus(pod.facts, this.#history(pod), phase));
  }

  /**
   * Asks for the deletion; what the kubelet does when the containers have stopped comes a moment
   * later.
   */
  #terminate(pod: Pod): Operation {
    this.#plan(pod, this.#between(700, 2500), () => {
      this.#remove(pod);
      return { verb: "delete", path: podPath(pod.facts), gracePeriodSeconds: 0 };
    });
    return { verb: "delete", path: podPath(pod.facts) };
  }

  #remove(pod: Pod): void {
    pod.plan = undefined;
    this.#podsByPath.delete(podPath(pod.facts));
    for (const deployment of this.#deployments) {
      deployment.pods = deployment.pods.filter((other) => other !== pod);
    }
  }

  #newPod({ plan, hash }: Deployment): Pod {
    const labels = { app: plan.name, "pod-template-hash": hash };
    const name = `${plan.name}-${hash}-${this.#letters(5)}`;
    return this.#addPod(plan.namespace, name, labels, plan.name, plan.image, plan.port);
  }

  #addPod(
    namespace: string,
    name: string,
    labels: Readonly<Record<string, string>>,
    container: string,
    image: string,
    port: number | undefined,
  ): Pod {
    const node = this.#pick(nodes);
    const number = nodes.indexOf(node) + 1;
    this.#lastAddress = (this.#lastAddress % 250) + 1;
    const hostIP = `10.0.0.${10 + number}`;
    const podIP = `10.244.${number}.${this.#lastAddress}`;
    const facts = { namespace, name, labels, container, image, port, node, hostIP, podIP };
    const pod: Pod = { facts, restarts: 0, startedAtMs: this.#nowMs, plan: undefined };
    this.#podsByPath.set(podPath(pod.facts), pod);
    return pod;
  }

  #create(pod: Pod): Operation {
    return createObject(`/api/v1/namespaces/${pod.facts.namespace}/pods`, podManifest(pod.facts));
  }

  #bind(pod: Pod): Operation {
    return { verb: "bind", path: podPath(pod.facts), node: pod.facts.node };
  }

  #started(pod: Pod): Operation {
    pod.startedAtMs = this.#nowMs;
    return patchStatus(pod.facts, runningStatus(pod.facts, this.#history(pod)));
  }

  #history(pod: Pod): { restarts: number; startedAt: string; now: string } {
    return { restarts: pod.restarts, startedAt: time(pod.startedAtMs), now: time(this.#nowMs) };
  }

  #plan(pod: Pod, delayMs: number, act: () => Operation | undefined): void {
    const plan = {};
    pod.plan = plan;
    this.#agenda.add(this.#nowMs + delayMs, () => (pod.plan === plan ? act() : undefined));
  }

  #repeat(fromMs: number, toMs: number, act: () => Operation | undefined): void {
    this.#agenda.add(this.#nowMs + this.#between(fromMs, toMs), () => {
      this.#repeat(fromMs, toMs, act);
      return act();
    });
  }

  #between(from: number, to: number): number {
    return from + this.#random() * (to - from);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new RangeError("Couldn't pick an item: the list is empty");
    return item;
  }

  #letters(count: number): string {
    return Array.from({ length: count }, () => this.#pick(nameAlphabet)).join("");
  }
}

// The API has whole seconds: 2024-05-01T12:00:00Z.
function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
