import { base64Decode, base64Encode, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import { MalformedBodyError } from "../../src/input/errors.ts";
import { loadProtobuf } from "../../src/protobuf/protobuf.ts";
import { loadSchemaTable } from "../../src/schema/schema-table.ts";
import { decodeTyped } from "../../src/schema/typed-object.ts";
import type { Json } from "../support/api-client.ts";

const codec = await loadProtobuf();
const table = await loadSchemaTable();
const nothing = { apiVersion: "", kind: "" };

/** Decodes an encoded object like the server. */
function roundTrip(object: Json): Json {
  const { apiVersion, kind } = object;
  const type = table.typeOf(String(apiVersion), String(kind));
  if (type === undefined) throw new Error(`Expected a type of ${kind}`);
  return decodeTyped(codec.decode(codec.encode(object), nothing), type, "json").object;
}

/** Encodes an object with fields that the test writes. */
function bytesOf(kind: string, write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  const raw = writer.finish();
  const envelope = new BinaryWriter().raw(Uint8Array.of(0x6b, 0x38, 0x73, 0));
  envelope.tag(1, WireType.LengthDelimited).fork();
  envelope.tag(1, WireType.LengthDelimited).string("v1");
  envelope.tag(2, WireType.LengthDelimited).string(kind).join();
  return envelope.tag(2, WireType.LengthDelimited).bytes(raw).finish();
}

function failureOf(bytes: Uint8Array): string {
  try {
    codec.decode(bytes, nothing);
  } catch (error) {
    if (error instanceof MalformedBodyError) return error.message;
    throw error;
  }
  return "none";
}

describe("the bytes of an object", () => {
  // Recorded from client-go.
  const recorded =
    "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEjAKIQoFYnJhdm8SABoAIgAqADIAOABCAFoKCgNhcHASA3dlYhILCgJrMRIFaGVsbG8aACIA";
  const object = {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "bravo", labels: { app: "web" } },
    data: { k1: "hello" },
  };

  test("equal those of client-go, zero values included (PB-2, PB-6)", () => {
    expect(base64Encode(codec.encode(object))).toBe(recorded);
  });

  test("result in JSON without zero values where the type omits them (PB-6)", () => {
    const type = table.typeOf("v1", "ConfigMap");
    const decoded = codec.decode(base64Decode(recorded), nothing);
    expect(type && decodeTyped(decoded, type, "json").object).toEqual(object);
  });

  test("sort the keys of maps, so that equal objects have equal bytes", () => {
    const one = codec.encode({ ...object, data: { a: "1", b: "2" } });
    const other = codec.encode({ ...object, data: { b: "2", a: "1" } });
    expect(one).toEqual(other);
  });
});

describe("an object decoded from protobuf", () => {
  test("keeps zeros behind pointers, and empty structs with a meaning (PB-6)", () => {
    const spec = {
      replicas: 0,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [{ name: "main", image: "nginx", resources: {} }],
          volumes: [{ name: "scratch", emptyDir: {} }],
          securityContext: {},
        },
      },
      strategy: {},
    };
    const deployment = {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: {},
      spec,
      status: {},
    };
    expect(roundTrip(deployment)).toEqual(deployment);
  });

  test("has the members of embedded messages in their parents (PB-5)", () => {
    const spec = {
      containers: [
        {
          name: "main",
          resources: { requests: { cpu: "500m" }, limits: { memory: "1Gi" } },
          env: [
            {
              name: "A",
              valueFrom: { configMapKeyRef: { name: "settings", key: "a", optional: false } },
            },
          ],
          envFrom: [{ secretRef: { name: "secret" } }],
          livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 5 },
          readinessProbe: { tcpSocket: { port: 80 } },
        },
      ],
      ephemeralContainers: [{ name: "debug", image: "busybox", resources: {} }],
      volumes: [
        { name: "one", projected: { sources: [{ configMap: { name: "settings" } }] } },
        { name: "two", configMap: { name: "settings", items: [{ key: "a", path: "b" }] } },
      ],
    };
    const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "web" }, spec, status: {} };
    expect(roundTrip(pod)).toEqual(pod);
  });

  test("has times in seconds or microseconds, and null for a missing one (PB-6)", () => {
    const lease = {
      kind: "Lease",
      apiVersion: "coordination.k8s.io/v1",
      metadata: { creationTimestamp: "2026-01-02T03:04:05Z" },
      spec: { renewTime: "1969-12-31T23:59:59.000123Z", leaseDurationSeconds: 15 },
    };
    expect(roundTrip(lease)).toEqual(lease);
    const condition = { type: "Ready", status: "True", lastProbeTime: null };
    const conditions = [{ ...condition, lastTransitionTime: "2026-01-02T03:04:05Z" }];
    const pod = { kind: "Pod", apiVersion: "v1", metadata: {}, status: { conditions } };
    expect(roundTrip(pod)["status"]).toEqual({ conditions });
  });

  test("has raw JSON unchanged (PB-6)", () => {
    const entry = { manager: "kubectl", operation: "Apply", apiVersion: "apps/v1" };
    const fieldsV1 = { "f:data": { 'k:{"a":1}': {}, ".": {} } };
    const revision = {
      kind: "ControllerRevision",
      apiVersion: "apps/v1",
      metadata: { managedFields: [{ ...entry, fieldsType: "FieldsV1", fieldsV1 }] },
      data: { kind: "Anything", list: [1, 2.5, null, { a: "ä" }] },
      revision: 9_007_199_254_740_991,
    };
    expect(roundTrip(revision)).toEqual(revision);
  });

  test("has the schemas of a definition with all their members (PB-5)", () => {
    const openAPIV3Schema = {
      $schema: "http://json-schema.org/schema#",
      type: "object",
      properties: {
        any: { "x-kubernetes-int-or-string": true, enum: ["a", 1], default: { a: [1] } },
        list: {
          type: "array",
          items: { $ref: "#/a" },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
        closed: { additionalProperties: false, maximum: 1.5, minLength: 0 },
        open: { additionalProperties: { type: "string" } },
      },
      "x-kubernetes-validations": [{ rule: "self.any != 1", message: "not one" }],
    };
    const names = { plural: "widgets", kind: "Widget" };
    const version = { name: "v1", served: true, storage: false, schema: { openAPIV3Schema } };
    const definition = {
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1",
      metadata: { name: "widgets.example.com" },
      spec: { group: "example.com", names, scope: "Namespaced", versions: [version] },
    };
    expect(roundTrip(definition)["spec"]).toEqual(definition.spec);
  });

  test("has plain lists of strings where messages wrap them (PB-6)", () => {
    const review = {
      kind: "SubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: {},
      spec: { user: "jane", extra: { scopes: ["a", "b"], none: [] } },
      status: { allowed: false },
    };
    expect(roundTrip(review)).toEqual(review);
  });

  test.each([
    ["Secret", 2, "data", ""],
    ["ConfigMap", 3, "binaryData", ""],
    ["ConfigMap", 2, "data", ""],
  ])("has an empty value in %s where an entry lacks one (PB-6)", (kind, number, name, empty) => {
    const bytes = bytesOf(kind, (writer) => {
      const entry = writer.tag(number, WireType.LengthDelimited).fork();
      entry.tag(1, WireType.LengthDelimited).string("key").join();
    });
    expect(codec.decode(bytes, nothing)).toHaveProperty(name, { key: empty });
  });

  test("has a quantity of zero where an entry lacks one (PB-6)", () => {
    const bytes = bytesOf("ResourceQuota", (writer) => {
      const spec = writer.tag(2, WireType.LengthDelimited).fork();
      const entry = spec.tag(1, WireType.LengthDelimited).fork();
      entry.tag(1, WireType.LengthDelimited).string("pods").join().join();
    });
    expect(codec.decode(bytes, nothing)).toHaveProperty("spec", { hard: { pods: "0" } });
  });

  test("supports __proto__ as a key", () => {
    const data = JSON.parse('{"__proto__":"x","constructor":"y"}') as Json;
    const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data };
    expect(JSON.stringify(roundTrip(object))).toBe(JSON.stringify(object));
  });
});

describe("a message", () => {
  test("may have unknown fields (PB-4)", () => {
    const bytes = bytesOf("ConfigMap", (writer) => {
      writer.tag(100, WireType.Varint).uint32(1);
      writer.tag(101, WireType.LengthDelimited).string("new");
      writer.tag(102, WireType.Bit64).double(1).tag(103, WireType.Bit32).float(1);
      writer.tag(4, WireType.Varint).bool(true);
    });
    const object = codec.decode(bytes, nothing);
    expect(object).toEqual({ kind: "ConfigMap", apiVersion: "v1", immutable: true });
  });

  test("that ends early, or has a wrong length, is rejected with Go's message (PB-4)", () => {
    const whole = bytesOf("ConfigMap", (writer) => writer.tag(4, WireType.Varint).bool(true));
    expect(failureOf(whole.subarray(0, -1))).toBe("unexpected EOF");
    const bytes = bytesOf("ConfigMap", (writer) => {
      writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).uint32(9);
      writer.join().tag(4, WireType.Varint).bool(true);
    });
    expect(failureOf(bytes)).toBe("unexpected EOF");
  });

  test.for([
    ["a wrong type of a field", [0x08, 0x01], "proto: wrong wireType = 0 for field ObjectMeta"],
    ["a type that does not exist", [0x27], "proto: wrong wireType = 7 for field Immutable"],
    ["an unknown field of none", [0x7f], "proto: illegal wireType 7"],
    ["a field without a number", [0x00], "proto: ConfigMap: illegal tag 0 (wire type 0)"],
    ["the end of a group", [0x0c], "proto: ConfigMap: wiretype end group for non-group"],
    ["a number without an end", Array.from({ length: 12 }, () => 0xff), "proto: integer overflow"],
  ] as const)("with %s is rejected with Go's message (PB-4)", ([, given, words]) => {
    expect(failureOf(bytesOf("ConfigMap", (writer) => writer.raw(Uint8Array.from(given))))).toBe(
      words,
    );
  });

  test("may have packed numbers", () => {
    const bytes = bytesOf("Pod", (writer) => {
      writer.tag(2, WireType.LengthDelimited).fork().tag(14, WireType.LengthDelimited).fork();
      writer.tag(4, WireType.LengthDelimited).fork().int64(1000).int64(2000).join();
      writer.join().join();
    });
    expect(codec.decode(bytes, nothing)["spec"]).toEqual({
      securityContext: { supplementalGroups: [1000, 2000] },
    });
  });
});
