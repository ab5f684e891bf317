import * as fc from "fast-check";
import { FakeApiServer } from "@listwatch/fake-apiserver";

/** Any JSON value without a key that would assign a prototype when copied. */
export const anyJson: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3, depthSize: "small" })
  .map(
    (value) => JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"')) as unknown,
  );

/** Strings with a meaning to some parser, and others. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("", ".", "..", "/", "%", "%2f", "%2e%2e", "\\", "?", "#", "a", "a/b", "../a"),
  fc.constantFrom("null", "true", "~", "- a", "a: b", "0x1F", "1e3", "012", "yes", "\n", "\r\n"),
);

/** A collection of custom resources with an arbitrary spec. */
export const things = "http://localhost/apis/example.com/v1/namespaces/default/things";

const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** Definition of {@link things}. */
export const thingsDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
  },
};

export function serverOfThings(): FakeApiServer {
  return new FakeApiServer({ crds: [thingsDefinition] });
}

export function thing(name: string, spec: unknown): object {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, spec };
}
