import type { Resource } from "@listwatch/client";
import { configMaps, namespaced, type Loose } from "./programs/cluster.ts";

/** Objects that the writers of a storm create, and their changes. */
export interface StormWork {
  readonly resource: Resource<Loose>;
  /** Returns a new object without name and namespace. */
  create(index: number, namespace: string): object;
  /** Returns a merge patch, and whether it is for the status. */
  change(random: () => number): { readonly patch: object; readonly isStatus?: boolean };
}

const text = "x".repeat(200);

export const configMapWork: StormWork = {
  resource: configMaps,
  create: () => ({ data: { text } }),
  change: (random) => ({ patch: { data: { text, number: String(random()) } } }),
};

const labels = (index: number): object => ({ app: `app-${index % 50}` });
const container = {
  name: "app",
  image: "registry.example/app:1",
  args: ["--port", "8080"],
  env: [
    { name: "TEXT", value: text },
    { name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
  ],
  ports: [{ containerPort: 8080, name: "http" }],
  resources: { requests: { cpu: "100m", memory: "1.5Gi" }, limits: { memory: "2e9" } },
  readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 3 },
  volumeMounts: [{ name: "data", mountPath: "/data" }],
};
const podSpec = { containers: [container], volumes: [{ name: "data", emptyDir: {} }] };

function condition(random: () => number): object {
  const time = new Date(1.7e12 + Math.floor(random() * 1e9) * 1000).toISOString();
  const status = random() < 0.5 ? "True" : "False";
  return { type: "Ready", status, lastTransitionTime: time.replace(/\.\d+/, ""), reason: "Storm" };
}

/** Pods that wait for a node. Half of the changes are those of a kubelet. */
export const podWork: StormWork = {
  resource: namespaced("", "v1", "pods", "Pod"),
  create: (index) => ({ metadata: { labels: labels(index) }, spec: podSpec }),
  change: (random) =>
    random() < 0.5
      ? { patch: { metadata: { annotations: { number: String(random()) } } } }
      : {
          patch: {
            status: {
              phase: random() < 0.5 ? "Running" : "Pending",
              podIP: `10.0.0.${Math.floor(random() * 250)}`,
              conditions: [condition(random)],
            },
          },
          isStatus: true,
        },
};

/** Deployments whose spec and status change. */
export const deploymentWork: StormWork = {
  resource: namespaced("apps", "v1", "deployments", "Deployment"),
  create: (index) => ({
    metadata: { labels: labels(index) },
    spec: {
      selector: { matchLabels: labels(index) },
      strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: 1 } },
      template: { metadata: { labels: labels(index) }, spec: podSpec },
    },
  }),
  change: (random) => {
    const replicas = Math.floor(random() * 10);
    return random() < 0.5
      ? { patch: { spec: { replicas, paused: random() < 0.5 } } }
      : { patch: { status: { replicas, readyReplicas: replicas } }, isStatus: true };
  },
};

/** Events with growing counts. */
export const eventWork: StormWork = {
  resource: namespaced("", "v1", "events", "Event"),
  create: (index, namespace) => ({
    involvedObject: { apiVersion: "v1", kind: "Pod", namespace, name: `pod-${index}` },
    reason: "Storm",
    message: `${text} ünd ${index}`,
    type: "Normal",
    count: 1,
    firstTimestamp: "2024-01-01T00:00:00Z",
    lastTimestamp: "2024-01-01T00:00:00Z",
    source: { component: "storm" },
  }),
  change: (random) => ({
    patch: { count: Math.ceil(random() * 1e6), message: `${text} ${random()}` },
  }),
};
