// The custom resource: a greeting for some people. The operator keeps a config map for each of
// them.
import { defineResource } from "listwatch";
import type { NamespacedObjectMeta } from "listwatch/resources/meta/v1";

export interface Greeting {
  readonly metadata: NamespacedObjectMeta;
  readonly spec: { readonly people: readonly string[] };
  readonly status?: { readonly greeted: number; readonly observedGeneration: number };
}

export const greetings = defineResource<Greeting>({
  group: "example.com",
  version: "v1",
  resource: "greetings",
  kind: "Greeting",
  scope: "Namespaced",
});
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
