/** Pods that are kept running, as a Deployment does. */
export interface DeploymentPlan {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  readonly port: number;
  /** The number of replicas moves between these two. */
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** Pods that do one thing and end, as a CronJob starts them. */
export interface JobPlan {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
}

export const namespaces: readonly string[] = ["analytics", "kube-system", "payments", "shop"];

export const nodes: readonly string[] = ["worker-1", "worker-2", "worker-3", "worker-4"];

export const deployments: readonly DeploymentPlan[] = [
  deployment("shop", "frontend", "shop/frontend:2.14", 8080, [4, 9]),
  deployment("shop", "catalog", "shop/catalog:1.9", 8080, [3, 4]),
  deployment("shop", "cart", "shop/cart:1.22", 8080, [2, 4]),
  deployment("payments", "gateway", "payments/gateway:5.1", 8443, [2, 4]),
  deployment("payments", "ledger", "payments/ledger:5.0", 9000, [2, 2]),
  deployment("analytics", "ingest", "analytics/ingest:0.8", 7000, [3, 6]),
  deployment("kube-system", "coredns", "coredns/coredns:1.12", 53, [2, 2]),
  deployment("kube-system", "metrics-server", "metrics-server:0.8", 10250, [1, 1]),
];

export const jobs: readonly JobPlan[] = [
  { namespace: "analytics", name: "hourly-report", image: "analytics/report:3.2" },
  { namespace: "payments", name: "reconcile", image: "payments/reconcile:1.4" },
];

/** What a burst starts, all at once, and takes away a few seconds later. */
export const burstJob: JobPlan = {
  namespace: "analytics",
  name: "load-test",
  image: "analytics/load-test:1.0",
};

function deployment(
  namespace: string,
  name: string,
  image: string,
  port: number,
  [minReplicas, maxReplicas]: readonly [number, number],
): DeploymentPlan {
  return { namespace, name, image, port, minReplicas, maxReplicas };
}
