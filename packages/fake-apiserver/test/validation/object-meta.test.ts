import { describe, expect, test } from "vitest";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import type { ApiObjectMeta } from "../../src/api/api-object.ts";
import type { ResourceDefinition } from "../../src/api/resource-definition.ts";
import {
  validateEmbeddedMeta,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../src/validation/object-meta.ts";

function resource(plural: string): ResourceDefinition {
  const definition = builtinResources().find((one) => one.plural === plural);
  if (definition === undefined) throw new Error(`No resource ${plural}`);
  return definition;
}

/** Returns the problems of the metadata of a ConfigMap, as "field: message". */
function problems(metadata: ApiObjectMeta, plural = "configmaps"): readonly string[] {
  const definition = resource(plural);
  const placed = definition.namespaced ? { namespace: "default", ...metadata } : metadata;
  return validateObjectMeta(placed, definition).map(({ field, message }) => `${field}: ${message}`);
}

describe("metadata of new objects (API-1.11)", () => {
  test("accepts valid metadata", () => {
    const metadata: ApiObjectMeta = {
      name: "a.b",
      generateName: "a-",
      labels: { "x.y/a": "1", b: "" },
      annotations: { "X.y/A": "any text\n" },
      finalizers: ["example.com/hold", "orphan"],
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }],
    };
    expect(problems(metadata)).toEqual([]);
  });

  test("accepts Kubernetes' finalizers without a domain (VAL-3)", () => {
    const finalizers = ["orphan", "noslash"];
    expect(problems({ name: "a", finalizers })).toEqual([
      'metadata.finalizers[1]: Invalid value: "noslash": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    expect(problems({ name: "a", finalizers }, "apiservices")).toEqual([]);
  });

  test("requires a name", () => {
    expect(problems({})).toEqual([
      "metadata.name: Required value: name or generateName is required",
    ]);
  });

  test.each([
    ["configmaps", "a.b", true],
    ["configmaps", "A", false],
    ["namespaces", "a.b", false],
    ["services", "1a", true],
    ["services", "a.1", false],
    ["roles", "system:A.b", true],
    ["clusterroles", "a/b", false],
    ["pods", "1.a", true],
  ])("%s called %j: %s", (plural, name, accepted) => {
    expect(problems({ name }, plural).length === 0).toBe(accepted);
  });

  test("validates generateName as the beginning of a name", () => {
    expect(problems({ name: "a-x", generateName: "a-" })).toEqual([]);
    expect(problems({ name: "a", generateName: "Bad_" })[0]).toMatch(
      /^metadata.generateName: Invalid value: "Bad_": a lowercase/,
    );
  });

  test("requires a namespace for namespaced kinds, and forbids it for others", () => {
    expect(validateObjectMeta({ name: "a" }, resource("configmaps"))).toEqual([
      { reason: "FieldValueRequired", field: "metadata.namespace", message: "Required value" },
    ]);
    expect(validateObjectMeta({ name: "a", namespace: "b" }, resource("nodes"))).toEqual([
      {
        reason: "FieldValueForbidden",
        field: "metadata.namespace",
        message: "Forbidden: not allowed on this type",
      },
    ]);
    expect(problems({ name: "a", namespace: "A.b" })).toHaveLength(1);
  });

  test("reports the key or the value of an invalid label, whichever is invalid", () => {
    expect(problems({ name: "a", labels: { "a b": "c" } })[0]).toMatch(
      /^metadata.labels: Invalid value: "a b": name part/,
    );
    expect(problems({ name: "a", labels: { a: "c d" } })[0]).toMatch(
      /^metadata.labels: Invalid value: "c d": a valid label/,
    );
  });

  test("limits annotations to 256 KiB in all", () => {
    expect(problems({ name: "a", annotations: { a: "x".repeat(262_143) } })).toEqual([]);
    expect(problems({ name: "a", annotations: { a: "x".repeat(262_144) } })).toEqual([
      "metadata.annotations: Too long: may not be more than 262144 bytes",
    ]);
  });

  test("requires complete owner references, at most one controller, and no Event as owner", () => {
    expect(problems({ name: "a", ownerReferences: [{}] })).toEqual([
      "metadata.ownerReferences[0].apiVersion: Required value: must not be empty",
      "metadata.ownerReferences[0].kind: Required value: must not be empty",
      "metadata.ownerReferences[0].name: Required value: must not be empty",
      "metadata.ownerReferences[0].uid: Required value: must not be empty",
    ]);
    const owner = (name: string): object => ({
      apiVersion: "v1",
      kind: "Pod",
      name,
      uid: name,
      controller: true,
    });
    expect(problems({ name: "a", ownerReferences: [owner("x"), owner("y")] })).toEqual([
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"x","uid":"x","controller":true},{"apiVersion":"v1","kind":"Pod","name":"y","uid":"y","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/x and Pod/y',
    ]);
    const of = { apiVersion: "a/b/c", kind: "Pod", name: "x", uid: "u" };
    expect(problems({ name: "a", ownerReferences: [of] })).toEqual([
      'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
    ]);
    const event = { apiVersion: "v1", kind: "Event", name: "e", uid: "u" };
    expect(problems({ name: "a", ownerReferences: [event] })[0]).toContain(
      "/v1, Kind=Event is disallowed from being an owner",
    );
  });

  test("rejects both finalizers of the garbage collector together", () => {
    expect(problems({ name: "a", finalizers: ["orphan", "foregroundDeletion"] })).toEqual([
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });

  test("rejects negative generations", () => {
    expect(problems({ name: "a", generation: -1 })).toEqual([
      "metadata.generation: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  test("accepts almost any name of embedded objects", () => {
    expect(validateEmbeddedMeta({ name: "Bad_Name" }, "spec.pod")).toEqual([]);
    expect(validateEmbeddedMeta({}, "spec.pod")).toEqual([]);
    expect(validateEmbeddedMeta({ labels: { "a b": "" } }, "spec.pod")[0]?.field).toBe(
      "spec.pod.metadata.labels",
    );
  });
});

describe("metadata of changed objects (API-1.12)", () => {
  const stored: ApiObjectMeta = {
    name: "a",
    namespace: "default",
    uid: "u1",
    resourceVersion: "5",
    generation: 2,
    creationTimestamp: "2024-01-01T00:00:00Z",
  };
  const definition = resource("configmaps");

  test("accepts an unchanged object", () => {
    expect(validateObjectMetaUpdate(stored, stored, definition)).toEqual([]);
  });

  test.each([
    [{ uid: "other" }, 'metadata.uid: Invalid value: "other": field is immutable'],
    [
      { deletionTimestamp: "2001-01-01T00:00:00Z" },
      'metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
    ],
    [
      { deletionGracePeriodSeconds: 3 },
      "metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable",
    ],
    [{ generation: 1 }, "metadata.generation: Invalid value: 1: must not be decremented"],
  ])("rejects %j with two equal errors (API-6.5)", (change, message) => {
    const errors = validateObjectMetaUpdate({ ...stored, ...change }, stored, definition);
    expect(errors.map((error) => `${error.field}: ${error.message}`)).toEqual([message, message]);
  });

  test("reports an invalid label three times (API-6.5)", () => {
    const errors = validateObjectMetaUpdate(
      { ...stored, labels: { "a b": "" } },
      stored,
      resource("pods"),
    );
    expect(errors).toHaveLength(3);
  });

  test("allows a terminating object to lose finalizers, but not to get new ones", () => {
    const terminating = {
      ...stored,
      deletionTimestamp: "2024-01-02T00:00:00Z",
      finalizers: ["x.io/a", "x.io/b"],
    };
    const change = (finalizers: readonly string[]): readonly string[] =>
      validateObjectMetaUpdate({ ...terminating, finalizers }, terminating, definition).map(
        ({ message }) => message,
      );
    expect(change(["x.io/a"])).toEqual([]);
    expect(change(["x.io/b", "x.io/d", "x.io/c"])[0]).toBe(
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/c", "x.io/d"}',
    );
  });
});

describe("the repeated checks of updates (VAL-3)", () => {
  const stored: ApiObjectMeta = { name: "a", uid: "u" };
  const changed: ApiObjectMeta = { ...stored, labels: { a: "b c" }, finalizers: ["noslash"] };

  // Counted in `Validate…Update` of k8s.io/kubernetes, pkg/apis, and of k8s.io/kube-aggregator.
  test.each([
    ["configmaps", "", 3, 1],
    ["apiservices", "", 4, 0],
    ["poddisruptionbudgets", "", 2, 0],
    ["validatingwebhookconfigurations", "", 3, 0],
  ])("%s %s: labels %i times, finalizers %i times", (plural, subresource, labels, finalizers) => {
    const definition = resource(plural);
    const place = definition.namespaced ? { namespace: "default" } : {};
    const of = (metadata: ApiObjectMeta) => ({ ...metadata, ...place });
    const errors = validateObjectMetaUpdate(of(changed), of(stored), definition, subresource);
    const count = (field: string) => errors.filter((error) => error.field === field).length;
    expect([count("metadata.labels"), count("metadata.finalizers[0]")]).toEqual([
      labels,
      finalizers,
    ]);
  });
});
