import { readFileSync } from "node:fs";
import type { Draft, Size } from "./generate-object.ts";

// A PersistentVolume has one source: csi.
const otherSources = [
  "awsElasticBlockStore",
  "azureDisk",
  "azureFile",
  "cephfs",
  "cinder",
  "fc",
  "flexVolume",
  "flocker",
  "gcePersistentDisk",
  "glusterfs",
  "hostPath",
  "iscsi",
  "local",
  "nfs",
  "photonPersistentDisk",
  "portworxVolume",
  "quobyte",
  "rbd",
  "scaleIO",
  "storageos",
  "vsphereVolume",
];
// A PKCS #10 request for CN=a.
const certificateRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCSGgzR3VhZlJ1bmw1SS9qbUZROTd1b0JhNk1ud3gvSEZSSXRHaEs0NERTMVAyVUpuWTBhMWpad0JCZHZSQ2l3CjdKUnlycVcwY0xqK3BLOXlIU2E1Uk5XZ0FEQUtCZ2dxaGtqT1BRUURBZ05KQURCR0FpRUF4OFdHRUx2bzFYRmMKTjUxb2xGQ0NXaFp2bnRQWnVKaU1MZ29iaWRIbXU3b0NJUUQ3aG50c09RWlY3TXVKR1dpb1VhaEZaYU9tNEg5RAphTWtqalUrVHNKTTBuQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
const authority = readFileSync(
  new URL("../../../packages/client/test/support/pki/ca.crt", import.meta.url),
  "utf8",
);

/** Members that no schema and no refusal tells, by kind. `undefined` removes a member. */
const given: Readonly<Record<string, Draft>> = {
  APIService: {
    metadata: { name: "v1.SIZE.example.net" },
    spec: {
      group: "SIZE.example.net",
      version: "v1",
      groupPriorityMinimum: 100,
      versionPriority: 10,
    },
  },
  Binding: { target: { kind: "Node", name: "a" } },
  CertificateSigningRequest: {
    spec: { request: certificateRequest, signerName: "example.net/a", usages: ["client auth"] },
  },
  ClusterTrustBundle: {
    metadata: { name: "example.net:a:SIZE" },
    spec: { signerName: "example.net/a", trustBundle: authority },
  },
  CustomResourceDefinition: {
    metadata: { name: "SIZEs.a.example.net" },
    spec: {
      group: "a.example.net",
      scope: "Namespaced",
      names: { plural: "SIZEs", kind: "SIZEKind" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        },
      ],
      conversion: undefined,
    },
    status: undefined,
  },
  HorizontalPodAutoscaler: {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } },
  },
  Ingress: { spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } } },
  IPAddress: {
    metadata: { name: "192.0.2.NUMBER" },
    spec: { parentRef: { resource: "pods", name: "a" } },
  },
  LocalSubjectAccessReview: {
    metadata: { name: undefined, labels: undefined, annotations: undefined, namespace: "kinds" },
    spec: { user: "a", resourceAttributes: { namespace: "kinds", verb: "get", resource: "pods" } },
  },
  MutatingAdmissionPolicy: {
    spec: {
      mutations: [
        { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } },
      ],
      reinvocationPolicy: "Never",
    },
  },
  PersistentVolume: { spec: { capacity: { storage: "1" } } },
  PersistentVolumeClaim: { spec: { resources: { requests: { storage: "1" } } } },
  PriorityLevelConfiguration: {
    spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } }, exempt: undefined },
  },
  ResourceSlice: {
    spec: { pool: { name: "a", generation: 1, resourceSliceCount: 1 }, nodeName: "a" },
  },
  SelfSubjectAccessReview: {
    metadata: undefined,
    spec: { nonResourceAttributes: { path: "/a", verb: "get" }, resourceAttributes: undefined },
  },
  SelfSubjectReview: { metadata: undefined },
  SelfSubjectRulesReview: { metadata: undefined, spec: { namespace: "kinds" } },
  ServiceCIDR: { spec: { cidrs: ["10.NUMBER.0.0/16"] } },
  SubjectAccessReview: {
    metadata: undefined,
    spec: {
      user: "a",
      nonResourceAttributes: { path: "/a", verb: "get" },
      resourceAttributes: undefined,
    },
  },
  VolumeAttachment: {
    spec: { source: { persistentVolumeName: "a", inlineVolumeSpec: undefined } },
  },
};

/** Members that only the maximal object has. */
const givenToMaximal: Readonly<Record<string, Draft>> = {
  CronJob: { spec: { jobTemplate: { spec: { selector: undefined, manualSelector: undefined } } } },
  CustomResourceDefinition: {
    spec: {
      names: {
        shortNames: ["sz"],
        categories: ["all"],
        listKind: "MaximalList",
        singular: "maximal",
      },
      preserveUnknownFields: false,
    },
  },
  Job: {
    spec: {
      manualSelector: true,
      podFailurePolicy: undefined,
      template: { spec: { restartPolicy: "Never" } },
    },
  },
  PersistentVolume: {
    spec: Object.fromEntries(otherSources.map((name) => [name, undefined])),
  },
  Pod: {
    spec: {
      overhead: undefined,
      runtimeClassName: undefined,
      preemptionPolicy: undefined,
      priorityClassName: undefined,
      priority: undefined,
    },
  },
  ResourceSlice: {
    spec: { nodeSelector: undefined, allNodes: undefined, perDeviceNodeSelection: undefined },
  },
  ReplicationController: {
    spec: { selector: { a: "a" }, template: { metadata: { labels: { a: "a" } } } },
  },
  StatefulSet: {
    spec: {
      volumeClaimTemplates: [
        {
          metadata: { name: "a" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
        },
      ],
    },
  },
  ResourceClaimTemplate: {
    spec: {
      spec: {
        devices: {
          requests: [
            { name: "a", exactly: { deviceClassName: "a.example.net", count: 1 } },
            { name: "b", firstAvailable: [{ name: "c", deviceClassName: "a.example.net" }] },
          ],
        },
      },
    },
  },
  RuntimeClass: { overhead: { podFixed: { storage: undefined } } },
  Service: {
    spec: {
      clusterIP: undefined,
      clusterIPs: undefined,
      externalName: undefined,
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      healthCheckNodePort: undefined,
    },
  },
};

// Kinds whose name two groups have.
const givenToGroup: Readonly<Record<string, Draft>> = {
  "events.k8s.io/Event": {
    action: "a",
    deprecatedCount: undefined,
    deprecatedFirstTimestamp: undefined,
    deprecatedLastTimestamp: undefined,
    deprecatedSource: undefined,
    reason: "a",
    regarding: { namespace: "kinds" },
    reportingController: "example.net/a",
    reportingInstance: "a",
    type: "Normal",
  },
  "/PersistentVolume": { spec: { hostPath: { path: "/a" } } },
};

/** Returns the members that an object of a kind is given before its first try. */
export function givenMembers(
  { group, kind }: { readonly group: string; readonly kind: string },
  size: Size,
): readonly Draft[] {
  const own = givenToGroup[`${group}/${kind}`] ?? {};
  const more = size === "maximal" ? (givenToMaximal[kind] ?? {}) : {};
  const number = size === "minimal" ? "41" : "42";
  return [given[kind] ?? {}, own, more].map((one) => filled(one, size, number) as Draft);
}

function filled(value: unknown, size: Size, number: string): unknown {
  if (typeof value === "string") return value.replaceAll("SIZE", size).replaceAll("NUMBER", number);
  if (Array.isArray(value)) return value.map((one) => filled(one, size, number));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, one]) => [name, filled(one, size, number)]));
}

/** Merges members into an object. */
export function give(object: Draft, members: readonly Draft[]): void {
  for (const one of members) merge(object, one);
}

function merge(object: Draft, members: Draft): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) delete object[name];
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const child = object[name];
      const target = typeof child === "object" && child !== null ? (child as Draft) : {};
      object[name] = target;
      merge(target, value as Draft);
    } else object[name] = value;
  }
}
