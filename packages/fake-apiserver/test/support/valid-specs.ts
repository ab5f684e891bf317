/** A container that nothing is wrong with. */
export const container = { name: "app", image: "nginx:1.25" };

/** The spec of a pod that nothing is wrong with. */
export const podSpec = { containers: [container] };

/** A template that nothing is wrong with, and what is special about its spec. */
export const template = (spec: object = {}): object => ({
  metadata: { labels: { app: "web" } },
  spec: { ...podSpec, ...spec },
});

/** The spec of a Deployment, ReplicaSet or DaemonSet that nothing is wrong with. */
export const workloadSpec = { selector: { matchLabels: { app: "web" } }, template: template() };

/** The spec of a claim that nothing is wrong with. */
export const claimSpec = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
};

/** The spec of a volume that nothing is wrong with. */
export const volumeSpec = {
  accessModes: ["ReadWriteOnce"],
  capacity: { storage: "1Gi" },
  hostPath: { path: "/data" },
};
