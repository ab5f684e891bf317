import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";

/** Path of definitions. */
export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** Path of the objects of {@link definition}. */
export const jars = "/apis/kitchen.example/v1/namespaces/default/jars";

/** A definition of jars with the schema of their spec. */
export function definition(spec: object): Json {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "jars.kitchen.example" },
    spec: {
      group: "kitchen.example",
      scope: "Namespaced",
      names: { kind: "Jar", plural: "jars" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

/** A jar, `tea` by default. */
export function jar(spec: Json, metadata: Json = {}): Json {
  const named = { name: "tea", ...metadata };
  return { apiVersion: "kitchen.example/v1", kind: "Jar", metadata: named, spec };
}

/** A client of a server that has the definition. */
export async function setUp(spec: object): Promise<ApiClient> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const { body, status } = await client.call("POST", definitions, definition(spec));
  expect(body["message"]).toBeUndefined();
  expect(status).toBe(201);
  return client;
}

/** A schema of an object with rules. */
export function withRules(rules: readonly Json[], properties: object): object {
  return { type: "object", properties, "x-kubernetes-validations": rules };
}

/** The causes of a refusal, a line each. */
export function causes(body: Json): readonly string[] {
  const list = (body["details"]["causes"] ?? []) as readonly Json[];
  return list.map(({ field, message, reason }) => `${reason} ${field} ${message}`);
}
