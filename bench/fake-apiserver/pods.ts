import { createHash } from "node:crypto";

/** Number of namespaces of the pods. */
const namespaces = 100;

/** Hexadecimal digits derived from a string, the same in every run. */
function digits(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

export function podNamespace(index: number): string {
  return `team-${String(index % namespaces).padStart(3, "0")}`;
}

export function podName(index: number): string {
  return `checkout-${digits(`set ${index % 997}`, 10)}-${digits(`pod ${index}`, 5)}-${index}`;
}

/** A pod with two sidecars: about 4 KB of JSON, as POSTed by a client. It causes no warnings. */
export function pod(index: number): object {
  const app = ["checkout", "payments", "search", "ledger"][index % 4];
  const owner = digits(`owner ${index % 997}`, 32);
  const containers = [
    container(`${app}`, { name: "http", containerPort: 8080, protocol: "TCP" }, index),
    container("proxy", { name: "outbound", containerPort: 15_001, protocol: "TCP" }, index),
    container("log-shipper", { name: "metrics", containerPort: 9102, protocol: "TCP" }, index),
  ];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName(index),
      namespace: podNamespace(index),
      labels: {
        app,
        "app.kubernetes.io/instance": `${app}-${index % 7}`,
        "pod-template-hash": digits(`set ${index % 997}`, 10),
        tier: index % 2 === 0 ? "front" : "back",
      },
      annotations: {
        "checksum/config": digits(`config ${index % 50}`, 64),
        "mesh.example.com/status": JSON.stringify({
          version: digits("mesh", 40),
          containers: ["proxy"],
        }),
        "prometheus.io/scrape": "true",
      },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: `${app}-${digits(`set ${index % 997}`, 10)}`,
          uid: `${owner.slice(0, 8)}-${owner.slice(8, 12)}-4${owner.slice(13, 16)}-8${owner.slice(17, 20)}-${owner.slice(20)}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers,
      volumes: [
        {
          name: "kube-api-access",
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
              {
                configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] },
              },
            ],
          },
        },
      ],
      nodeName: `node-${index % 1000}.eu-west-1.example.internal`,
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: app,
      schedulerName: "default-scheduler",
      tolerations: ["not-ready", "unreachable"].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
    },
  };
}

interface Port {
  readonly name: string;
  readonly containerPort: number;
  readonly protocol: string;
}

function container(name: string, port: Port, index: number): object {
  return {
    name,
    image: `registry.example.internal/${name}:v1.${index % 40}`,
    imagePullPolicy: "IfNotPresent",
    ports: [port],
    env: [
      { name: "LOG_LEVEL", value: "info" },
      {
        name: "POD_NAME",
        valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } },
      },
    ],
    resources: {
      requests: { cpu: "100m", memory: "256Mi" },
      limits: { cpu: "500m", memory: "512Mi" },
    },
    readinessProbe: {
      httpGet: { path: "/readyz", port: port.name, scheme: "HTTP" },
      periodSeconds: 5,
      failureThreshold: 3,
    },
    volumeMounts: [
      {
        name: "kube-api-access",
        readOnly: true,
        mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
      },
    ],
    securityContext: { allowPrivilegeEscalation: false },
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  };
}
