import { describe, expect, test } from "vitest";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import { cellReader } from "../../src/output/cells.ts";
import { created, now, row } from "../support/builtin-row.ts";

describe("columns of the other kinds (API-1.22)", () => {
  const template = { spec: { containers: [{ name: "c", image: "i" }] } };

  test.each<[string, object, string]>([
    [
      "apiextensions.k8s.io/customresourcedefinitions",
      {
        spec: {
          scope: "Cluster",
          versions: [
            { name: "v2", served: true, storage: true },
            { name: "v1", served: true },
            { name: "v1beta1" },
          ],
        },
      },
      `x | Cluster | v1,v2(storage) | ${created}`,
    ],
    [
      "networking.k8s.io/ipaddresses",
      { spec: { parentRef: { group: "a.io", resource: "things", namespace: "n", name: "b" } } },
      "x | things.a.io/n/b",
    ],
    ["storage.k8s.io/csistoragecapacities", { storageClassName: "s" }, `x | ${created}`],
    [
      "componentstatuses",
      { conditions: [{ type: "Healthy", status: "True", message: "ok" }] },
      "x | Healthy | ok | ",
    ],
    ["componentstatuses", { conditions: [{ type: "Healthy" }] }, "x | Unhealthy |  | "],
    ["componentstatuses", {}, "x | Unknown |  | "],
    [
      "apps/deployments",
      {
        spec: { replicas: 3 },
        status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
      },
      "x | 2/3 | 3 | 1 | 60m",
    ],
    [
      "apps/replicasets",
      { spec: { replicas: 3 }, status: { replicas: 2, readyReplicas: 1 } },
      "x | 3 | 2 | 1 | 60m",
    ],
    ["apps/statefulsets", { spec: { replicas: 3 }, status: { readyReplicas: 1 } }, "x | 1/3 | 60m"],
    [
      "apps/daemonsets",
      {
        spec: { template: { spec: { nodeSelector: { a: "b" } } } },
        status: { desiredNumberScheduled: 2 },
      },
      "x | 2 | 0 | 0 | 0 | 0 | a=b | 60m",
    ],
    [
      "apps/controllerrevisions",
      {
        metadata: {
          name: "x",
          creationTimestamp: created,
          ownerReferences: [
            { controller: true, apiVersion: "apps/v1", kind: "DaemonSet", name: "d" },
          ],
        },
        revision: 4,
      },
      "x | daemonset.apps/d | 4 | 60m",
    ],
    [
      "batch/jobs",
      { spec: { completions: 2 }, status: { succeeded: 1, startTime: "2024-01-01T00:30:00Z" } },
      "x | Running | 1/2 | 30m | 60m",
    ],
    [
      "batch/jobs",
      {
        spec: { parallelism: 3 },
        status: {
          conditions: [{ type: "Complete", status: "True" }],
          startTime: created,
          completionTime: "2024-01-01T00:00:05Z",
        },
      },
      "x | Complete | 0/1 of 3 | 5s | 60m",
    ],
    [
      "batch/cronjobs",
      {
        spec: { schedule: "* * * * *", suspend: true },
        status: { active: [{}], lastScheduleTime: "2024-01-01T00:59:00Z" },
      },
      "x | * * * * * | <none> | True | 1 | 60s | 60m",
    ],
    [
      "autoscaling/horizontalpodautoscalers",
      {
        spec: {
          scaleTargetRef: { kind: "Deployment", name: "d" },
          maxReplicas: 5,
          metrics: [
            { type: "Resource", resource: { name: "cpu", target: { averageUtilization: 80 } } },
          ],
        },
        status: { currentReplicas: 2 },
      },
      "x | Deployment/d | cpu: <unknown>/80% | <unset> | 5 | 2 | 60m",
    ],
    [
      "services",
      {
        spec: {
          clusterIP: "10.0.0.1",
          ports: [
            { port: 80, nodePort: 30080 },
            { port: 53, protocol: "UDP" },
          ],
        },
      },
      "x | ClusterIP | 10.0.0.1 | <none> | 80:30080/TCP,53/UDP | 60m",
    ],
    [
      "services",
      { spec: { type: "LoadBalancer" } },
      "x | LoadBalancer | <none> | <pending> | <none> | 60m",
    ],
    [
      "services",
      { spec: { type: "ExternalName", externalName: "a.b" } },
      "x | ExternalName | <none> | a.b | <none> | 60m",
    ],
    [
      "endpoints",
      {
        subsets: [
          { addresses: [{ ip: "1.1.1.1" }, { ip: "1.1.1.2" }], ports: [{ port: 1 }, { port: 2 }] },
        ],
      },
      "x | 1.1.1.1:1,1.1.1.2:1,1.1.1.1:2 + 1 more... | 60m",
    ],
    [
      "discovery.k8s.io/endpointslices",
      { addressType: "IPv4", ports: [{ port: 1 }], endpoints: [{ addresses: ["1.1.1.1"] }] },
      "x | IPv4 | 1 | 1.1.1.1 | 60m",
    ],
    [
      "networking.k8s.io/ingresses",
      {
        spec: { ingressClassName: "n", rules: [{ host: "a.b" }], tls: [{}] },
        status: { loadBalancer: { ingress: [{ ip: "1.1.1.1" }] } },
      },
      "x | n | a.b | 1.1.1.1 | 80, 443 | 60m",
    ],
    [
      "networking.k8s.io/ingressclasses",
      { spec: { controller: "c", parameters: { apiGroup: "g", kind: "K", name: "n" } } },
      "x | c | K.g/n | 60m",
    ],
    ["networking.k8s.io/networkpolicies", { spec: { podSelector: {} } }, "x | <none> | 60m"],
    [
      "nodes",
      {
        metadata: {
          name: "x",
          creationTimestamp: created,
          labels: { "node-role.kubernetes.io/control-plane": "" },
        },
        spec: { unschedulable: true },
        status: {
          conditions: [{ type: "Ready", status: "True" }],
          nodeInfo: { kubeletVersion: "v1.36.0" },
        },
      },
      "x | Ready,SchedulingDisabled | control-plane | 60m | v1.36.0",
    ],
    ["namespaces", { status: { phase: "Active" } }, "x | Active | 60m"],
    ["configmaps", { data: { a: "" }, binaryData: { b: "" } }, "x | 2 | 60m"],
    ["secrets", { type: "Opaque", data: { a: "" } }, "x | Opaque | 1 | 60m"],
    ["serviceaccounts", {}, "x | 60m"],
    [
      "events",
      {
        type: "Normal",
        reason: "Pulled",
        involvedObject: { kind: "Pod", name: "p" },
        message: " m ",
        lastTimestamp: "2024-01-01T00:59:00Z",
      },
      "60s | Normal | Pulled | pod/p | m",
    ],
    [
      "events.k8s.io/events",
      {
        type: "Normal",
        reason: "Pulled",
        regarding: { kind: "Pod", name: "p" },
        note: "m",
        eventTime: "2024-01-01T00:59:00Z",
      },
      "60s | Normal | Pulled | pod/p | m",
    ],
    ["coordination.k8s.io/leases", { spec: { holderIdentity: "me" } }, "x | me | 60m"],
    [
      "persistentvolumeclaims",
      {
        spec: { volumeName: "v", storageClassName: "s" },
        status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
      },
      "x | Bound | v | 1Gi | RWO | s | <unset> | 60m",
    ],
    [
      "persistentvolumes",
      {
        spec: {
          capacity: { storage: "1Gi" },
          accessModes: ["ReadOnlyMany"],
          persistentVolumeReclaimPolicy: "Retain",
          claimRef: { namespace: "n", name: "c" },
        },
        status: { phase: "Bound" },
      },
      "x | 1Gi | ROX | Retain | Bound | n/c |  | <unset> |  | 60m",
    ],
    [
      "storage.k8s.io/storageclasses",
      { provisioner: "p" },
      "x | p | Delete | Immediate | false | 60m",
    ],
    [
      "storage.k8s.io/csidrivers",
      {},
      "x | true | false | false | <unset> | false | Persistent | 60m",
    ],
    ["storage.k8s.io/csinodes", { spec: { drivers: [{}] } }, "x | 1 | 60m"],
    [
      "storage.k8s.io/volumeattachments",
      {
        spec: { attacher: "a", source: { persistentVolumeName: "v" }, nodeName: "n" },
        status: { attached: true },
      },
      "x | a | v | n | true | 60m",
    ],
    [
      "scheduling.k8s.io/priorityclasses",
      { value: 5 },
      "x | 5 | false | 60m | PreemptLowerPriority",
    ],
    ["node.k8s.io/runtimeclasses", { handler: "h" }, "x | h | 60m"],
    [
      "policy/poddisruptionbudgets",
      { spec: { minAvailable: "50%" }, status: { disruptionsAllowed: 1 } },
      "x | 50% | N/A | 1 | 60m",
    ],
    [
      "rbac.authorization.k8s.io/rolebindings",
      { roleRef: { kind: "Role", name: "r" } },
      "x | Role/r | 60m",
    ],
    [
      "certificates.k8s.io/certificatesigningrequests",
      {
        spec: { signerName: "s", username: "u", expirationSeconds: 60 },
        status: { conditions: [{ type: "Approved" }], certificate: "c" },
      },
      "x | 60m | s | u | 60s | Approved,Issued",
    ],
    [
      "apiregistration.k8s.io/apiservices",
      {
        spec: { service: { namespace: "n", name: "s" } },
        status: { conditions: [{ type: "Available", status: "False", reason: "R" }] },
      },
      "x | n/s | False (R) | 60m",
    ],
    [
      "resourcequotas",
      {
        status: {
          hard: { pods: "5", "limits.cpu": "2", "requests.cpu": "1" },
          used: { pods: "3", "limits.cpu": "500m" },
        },
      },
      "x | pods: 3/5, requests.cpu: 0/1 | limits.cpu: 500m/2 | 60m",
    ],
    [
      "podtemplates",
      {
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
      },
      "x | c | i | app=web",
    ],
    [
      "flowcontrol.apiserver.k8s.io/flowschemas",
      {
        spec: { priorityLevelConfiguration: { name: "p" }, matchingPrecedence: 5 },
        status: { conditions: [{ type: "Dangling", status: "False" }] },
      },
      "x | p | 5 | <none> | 60m | False",
    ],
    [
      "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations",
      {
        spec: {
          type: "Limited",
          limited: {
            nominalConcurrencyShares: 30,
            limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
          },
        },
      },
      "x | Limited | 30 | 64 | 8 | 50 | 60m",
    ],
    [
      "admissionregistration.k8s.io/mutatingwebhookconfigurations",
      { webhooks: [{}, {}] },
      "x | 2 | 60m",
    ],
  ])("%s show %j as %s", (name, object, expected) => {
    expect(row(name, object)).toBe(expected);
  });

  test.each<[string, object, string]>([
    [
      "apiextensions.k8s.io/customresourcedefinitions",
      {
        spec: { group: "a.io", names: { kind: "Thing", shortNames: ["th", "tg"] } },
        status: { conditions: [{ type: "Established", status: "True" }] },
      },
      "a.io | Thing | th,tg | true",
    ],
    [
      "apps/deployments",
      { spec: { template, selector: { matchLabels: { a: "b" } } } },
      "c | i | a=b",
    ],
    ["replicationcontrollers", { spec: { template, selector: { a: "b" } } }, "c | i | a=b"],
    ["batch/cronjobs", { spec: { jobTemplate: { spec: { template } } } }, "c | i | <none>"],
    ["services", { spec: { selector: { a: "b" } } }, "a=b"],
    [
      "nodes",
      {
        status: {
          addresses: [{ type: "InternalIP", address: "1.1.1.1" }],
          nodeInfo: { osImage: "os" },
        },
      },
      "1.1.1.1 | <none> | os | <unknown> | <unknown>",
    ],
    [
      "rbac.authorization.k8s.io/rolebindings",
      {
        subjects: [
          { kind: "User", name: "u" },
          { kind: "ServiceAccount", namespace: "n", name: "s" },
        ],
      },
      "u |  | n/s",
    ],
    [
      "events.k8s.io/events",
      {
        deprecatedCount: 3,
        deprecatedSource: { component: "kubelet", host: "h" },
        regarding: { fieldPath: "spec" },
      },
      "spec | kubelet, h |  | <unknown> | 3 | x",
    ],
    [
      "events",
      { count: 3, source: { component: "kubelet", host: "h" }, involvedObject: {} },
      "kubelet, h |  | <unknown> | 3 | x",
    ],
  ])("%s end with the wide columns of %j: %s", (name, object, expected) => {
    expect(row(name, object, { wide: true }).endsWith(` | ${expected}`)).toBe(true);
  });

  test("never fail for any content of an object", () => {
    const odd = {
      metadata: {},
      spec: 5,
      status: [null],
      data: "x",
      subsets: [[], { addresses: {} }],
    };
    const cells = builtinResources().flatMap(({ versions }) =>
      versions.flatMap(({ columns }) => columns.map((column) => cellReader(column)(odd, now))),
    );
    expect(cells.filter((cell) => typeof cell === "object" && cell !== null)).toEqual([]);
  });
});
