import type { Client } from "listwatch";
import { pods, type ContainerState, type Pod } from "listwatch/resources/core/v1";
import { writtenNow } from "./event-feed.ts";
import type { Stage, Step } from "./pod-lives.ts";

/** Pods of one kind. */
export interface Plan {
  readonly namespace: string;
  readonly name: string;
  /** Pods at a time. @default 1 */
  readonly replicas?: number;
  /** Whether a pod ends by itself, as one of a Job. */
  readonly isJob?: boolean;
}

type PodPhase = NonNullable<NonNullable<Pod["status"]>["phase"]>;

export const plans: readonly Plan[] = [
  { namespace: "shop", name: "frontend", replicas: 5 },
  { namespace: "shop", name: "catalog", replicas: 3 },
  { namespace: "shop", name: "cart", replicas: 3 },
  { namespace: "payments", name: "gateway", replicas: 3 },
  { namespace: "payments", name: "ledger", replicas: 2 },
  { namespace: "payments", name: "reconcile", isJob: true },
  { namespace: "analytics", name: "ingest", replicas: 4 },
  { namespace: "analytics", name: "hourly-report", isJob: true },
  { namespace: "kube-system", name: "coredns", replicas: 2 },
  { namespace: "kube-system", name: "metrics-server" },
];
export const loadTest: Plan = { namespace: "analytics", name: "load-test", isJob: true };
/** Steps of a life until the pod runs. */
export const stepsToRunning = 4;

const nodes = ["worker-1", "worker-2", "worker-3", "worker-4"];
// The alphabet of generated names: k8s.io/apimachinery util/rand.
const nameAlphabet = "bcdfghjklmnpqrstvwxz2456789".split("");

/**
 * The life of a new pod, which goes through the phases of pods and sometimes crashes: the writes of
 * a workload controller, the scheduler and a kubelet.
 */
export function podLife(client: Client, { clock, random }: Stage, plan: Plan): readonly Step[] {
  const { isJob = false, name: app, namespace } = plan;
  const pick = (items: readonly string[]) => items[Math.floor(random() * items.length)] ?? "";
  const letters = (length: number) => Array.from({ length }, () => pick(nameAlphabet)).join("");
  const name = `${app}-${letters(9)}-${letters(5)}`;
  const key = `${namespace}/${name}` as const;
  const node = pick(nodes);
  const image = `example.com/${app}:1.0`;
  const resource = client.resource(pods);
  const create = () => {
    const metadata = { namespace, name, labels: { app }, annotations: writtenNow(clock) };
    return resource.create({ metadata, spec: { containers: [{ name: app, image }] } });
  };
  const report = (phase: PodPhase, state: ContainerState, restartCount = 0) => {
    const ready = state.running !== undefined;
    const container = { name: app, image, imageID: "", ready, started: ready, restartCount, state };
    const status = { phase, containerStatuses: [container] };
    return resource.patchStatus(key, { metadata: { annotations: writtenNow(clock) }, status });
  };
  // The API has whole seconds: 2024-05-01T12:00:00Z.
  const now = () => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  const start = (restarts = 0) => report("Running", { running: { startedAt: now() } }, restarts);
  const waiting = { reason: "CrashLoopBackOff" };
  const crash: readonly Step[] = [
    [3000, 9000, () => report("Running", { waiting }, 1)],
    [2000, 6000, () => start(1)],
  ];
  const succeed = () => report("Succeeded", { terminated: { exitCode: 0, reason: "Completed" } });
  const fail = () => report("Failed", { terminated: { exitCode: 1, reason: "Error" } });
  const finish: Step = [1500, 5000, random() < 0.85 ? succeed : fail];
  return [
    [300, 1500, create],
    [100, 500, () => resource.bind(key, node)],
    [100, 400, () => report("Pending", { waiting: { reason: "ContainerCreating" } })],
    [400, 1800, () => start()],
    ...(isJob ? [finish] : random() < 0.15 ? crash : []),
    [2000, isJob ? 5000 : 25_000, () => resource.delete(key)],
    // The containers have stopped.
    [700, 2500, () => resource.delete(key, { gracePeriodSeconds: 0 })],
  ];
}
