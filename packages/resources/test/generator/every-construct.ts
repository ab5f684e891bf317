/** CustomResourceDefinitions with every construct of a structural schema. */

const backup = {
  type: "object",
  nullable: true,
  description: "Where copies go.\n\nNone are made without it. No comment ends here: */",
  required: ["bucket"],
  properties: {
    bucket: { type: "string" },
    "keep-days": { type: "integer", format: "int32", minimum: 1, default: 7 },
    schedule: { type: "string", pattern: "^[*0-9 ]+$", nullable: true },
  },
};

const schema = {
  type: "object",
  description: "A database.",
  required: ["spec"],
  properties: {
    apiVersion: { type: "string", description: "The version of the schema." },
    kind: { type: "string" },
    metadata: { type: "object", properties: { name: { type: "string", maxLength: 20 } } },
    spec: {
      type: "object",
      required: ["engine", "replicas"],
      properties: {
        engine: { type: "string", enum: ["postgres", "mysql"] },
        tier: { type: "integer", enum: [1, 2, 3], default: 1 },
        mode: { type: "string", enum: ["on", "off", null], nullable: true },
        replicas: { type: "integer", default: 1, description: "How many run." },
        paused: { type: "boolean" },
        ratio: { type: "number" },
        port: {
          "x-kubernetes-int-or-string": true,
          anyOf: [{ type: "integer" }, { type: "string" }],
          default: "http",
        },
        ports: { type: "array", items: { "x-kubernetes-int-or-string": true } },
        users: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name", "host"],
          items: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string" },
              host: { type: "string", default: "%" },
              roles: {
                type: "array",
                "x-kubernetes-list-type": "set",
                items: { type: "string", enum: ["reader", "writer"] },
              },
            },
          },
        },
        addresses: { type: "array", "x-kubernetes-list-type": "atomic", items: { type: "string" } },
        labels: { type: "object", additionalProperties: { type: "string" } },
        limits: {
          type: "object",
          additionalProperties: { "x-kubernetes-int-or-string": true, nullable: true },
        },
        pools: {
          type: "object",
          additionalProperties: {
            type: "object",
            required: ["size"],
            properties: { size: { type: "integer" } },
          },
        },
        matrix: { type: "array", items: { type: "array", items: { type: "number" } } },
        backup,
        settings: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        tuning: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { cache: { type: "string" } },
        },
        anything: { "x-kubernetes-preserve-unknown-fields": true },
        template: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        claim: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          properties: {
            metadata: { type: "object" },
            spec: { type: "object", properties: { size: { type: "string" } } },
          },
        },
        empty: { type: "object" },
        open: { type: "object", additionalProperties: true },
        time: { type: "string", format: "date-time" },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: { type: "string" },
        replicas: { type: "integer" },
        conditions: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
          items: {
            type: "object",
            required: ["type", "status"],
            properties: {
              type: { type: "string" },
              status: { type: "string", enum: ["True", "False", "Unknown"] },
            },
          },
        },
      },
    },
  },
};

const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

/** Namespaced, with one served version, and one that is not served. */
export const databases = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "databases.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "databases", kind: "Database", shortNames: ["db"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale },
        schema: { openAPIV3Schema: schema },
      },
      { name: "v1alpha1", served: false, storage: false, schema: {} },
    ],
  },
};

const small = (field: object) => ({
  openAPIV3Schema: {
    type: "object",
    required: ["spec"],
    properties: { spec: { type: "object", properties: { weight: field } } },
  },
});

/** Cluster-scoped, with two versions, and the name of an imported type. */
export const scales = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "scales.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "scales", kind: "Scale" },
    versions: [
      { name: "v1", served: true, storage: true, schema: small({ type: "number" }) },
      { name: "v1beta1", served: true, storage: false, schema: small({ type: "string" }) },
    ],
  },
};

/** A kind and a plural that are reserved words. */
export const defaults = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "delete.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "delete", kind: "Resource" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: {} } }],
  },
};
