// The custom resource: a greeting for some people. The operator keeps a config map for each of
// them.

/** As much of the metadata as the operator reads. */
interface Metadata {
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
}

export interface Greeting {
  readonly metadata: Metadata;
  readonly spec: { readonly people: readonly string[] };
  readonly status?: { readonly greeted: number; readonly observedGeneration: number };
}

export interface ConfigMap {
  readonly metadata: Metadata & { readonly ownerReferences?: readonly object[] };
  readonly data?: Readonly<Record<string, string>>;
}

export const greetings = { group: "example.com", version: "v1", resource: "greetings" } as const;
export const configMaps = { group: "", version: "v1", resource: "configmaps" } as const;
export const greetingType = { apiVersion: "example.com/v1", kind: "Greeting" } as const;

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: { people: { type: "array", items: { type: "string" } } },
    },
    status: {
      type: "object",
      properties: { greeted: { type: "integer" }, observedGeneration: { type: "integer" } },
    },
  },
};

export const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "greetings.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: {
      plural: "greetings",
      singular: "greeting",
      kind: "Greeting",
      listKind: "GreetingList",
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
};
