import { thing } from "./anything.ts";

const metadata = { name: "a", labels: { app: "a" }, finalizers: ["example.com/f"] };
const containers = [{ name: "c", image: "i", ports: [{ containerPort: 80 }], env: [] }];
const template = { metadata: { labels: { app: "a" } }, spec: { containers } };
const selector = { matchLabels: { app: "a" } };
const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["n"],
        properties: {
          n: { type: "integer", default: 1, minimum: 0 },
          text: { type: "string", pattern: "^a*$", format: "date-time" },
          list: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        },
      },
    },
  },
};
const names = { plural: "gadgets", kind: "Gadget", singular: "gadget", shortNames: ["g"] };
const printed = [{ name: "N", type: "integer", jsonPath: ".spec.n" }];
const version = { name: "v1", served: true, storage: true, schema };

/** Objects that are sent unchanged, or with mistakes. */
export const objects: readonly object[] = [
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    data: { key: "value" },
    binaryData: { b: "YQ==" },
  },
  { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: "n", containers } },
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } },
  { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", stringData: { a: "b" } },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { selector: { app: "a" }, ports: [{ port: 80 }] },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: 1, selector, template },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata,
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template } } },
  },
  {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata,
    spec: { renewTime: "2026-01-01T00:00:00.000000Z" },
  },
  { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "a" }, spec: { replicas: 2 } },
  {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name: "a" },
    target: { kind: "Node", name: "n" },
  },
  { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" }, deleteOptions: {} },
  {
    apiVersion: "v1",
    kind: "DeleteOptions",
    gracePeriodSeconds: 0,
    propagationPolicy: "Foreground",
    preconditions: { uid: "u", resourceVersion: "1" },
    dryRun: ["All"],
  },
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names,
      versions: [
        {
          ...version,
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" },
          },
          additionalPrinterColumns: printed,
          selectableFields: [{ jsonPath: ".spec.text" }],
        },
      ],
    },
  },
  { apiVersion: "example.com/v1", kind: "Gadget", metadata, spec: { n: 1, list: ["a"] } },
  thing("a", { n: 1, deep: { list: [{ a: 1 }, "b"] } }),
  {
    metadata: { name: null, "@proto": { polluted: 1 } },
    spec: { "@proto": { polluted: 1 } },
    "@proto": { polluted: 1 },
  },
];

const resources: Readonly<Record<string, string>> = {
  ConfigMap: "configmaps",
  Pod: "pods",
  Namespace: "namespaces",
  Secret: "secrets",
  Service: "services",
  Deployment: "deployments",
  CronJob: "cronjobs",
  Lease: "leases",
  CustomResourceDefinition: "customresourcedefinitions",
  Gadget: "gadgets",
  Thing: "things",
};

/** Patches. */
export const patches: readonly unknown[] = [
  [
    { op: "add", path: "/metadata/labels/b", value: "c" },
    { op: "test", path: "/kind", value: "Pod" },
  ],
  [
    { op: "copy", from: "/metadata", path: "/spec/x" },
    { op: "move", from: "/data", path: "/spec/-" },
  ],
  [
    { op: "add", path: "/@proto/polluted", value: 1 },
    { op: "replace", path: "/@con/prototype/polluted", value: 1 },
  ],
  [
    { op: "remove", path: "/spec/containers/0" },
    { op: "replace", path: "", value: {} },
  ],
  { metadata: { labels: { b: null, c: "d" }, "@proto": { polluted: 1 } }, spec: { replicas: 3 } },
  { spec: { $patch: "replace", containers: [{ $patch: "delete", name: "c" }] } },
  {
    spec: {
      "$setElementOrder/containers": [{ name: "d" }, { name: "c" }],
      containers: [{ name: "d", image: "x" }],
    },
  },
  { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/f"], finalizers: null } },
  {
    metadata: { $retainKeys: ["name"], managedFields: [{}] },
    status: { conditions: [{ type: "Ready" }] },
  },
];

/** The collection of each of the {@link objects}. */
export const places: readonly (readonly [string, object])[] = objects.flatMap((object) => {
  const { apiVersion, kind } = object as { readonly apiVersion?: string; readonly kind?: string };
  const resource = kind === undefined ? undefined : resources[kind];
  if (apiVersion === undefined || resource === undefined) return [];
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const isGlobal = /^(?:namespaces|customres)/.test(resource);
  const collection = `${root}${isGlobal ? "" : "/namespaces/default"}/${resource}`;
  return [[collection, object] as const];
});
