export const container = { name: "app", image: "nginx:1.25" };

export const podSpec = { containers: [container] };

/** A valid template, with additional fields of its spec. */
export const template = (spec: object = {}): object => ({
  metadata: { labels: { app: "web" } },
  spec: { ...podSpec, ...spec },
});

/** A valid spec for a Deployment, ReplicaSet or DaemonSet. */
export const workloadSpec = { selector: { matchLabels: { app: "web" } }, template: template() };

/** A valid spec for a claim. */
export const claimSpec = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
};

/** A valid spec for a volume. */
export const volumeSpec = {
  accessModes: ["ReadWriteOnce"],
  capacity: { storage: "1Gi" },
  hostPath: { path: "/data" },
};
