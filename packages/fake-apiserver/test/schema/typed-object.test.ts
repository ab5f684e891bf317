import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { loadSchemaTable } from "../../src/schema/schema-table.ts";
import { decodeTyped, type TypedObject } from "../../src/schema/typed-object.ts";
import { ApiClient, type Json } from "../support/api-client.ts";

const container = { name: "a", image: "b" };

async function decode(
  apiVersion: string,
  kind: string,
  object: Json,
  from: "json" | "patch" = "json",
): Promise<TypedObject> {
  const type = (await loadSchemaTable()).typeOf(apiVersion, kind);
  if (type === undefined) throw new Error(`Expected a type of ${kind}`);
  return decodeTyped(object, type, from);
}

describe("a typed object", () => {
  test("loses unknown fields, in the order of the JSON (STR-1, STR-5)", async () => {
    const { object, unknown } = await decode("v1", "Pod", {
      metadata: { name: "a", bog: 1 },
      spec: { containers: [{ ...container, ports: [{ containerport: 1 }] }], bogus: { x: {} } },
    });
    expect(unknown).toEqual([
      "metadata.bog",
      "spec.containers[0].ports[0].containerport",
      "spec.bogus",
    ]);
    expect(object["metadata"]).toEqual({ name: "a" });
  });

  test("knows structs without fields, and those of any JSON (STR-1)", async () => {
    const scheduling = { disruptionMode: { all: { a: "x" } } };
    const job = await decode("batch/v1", "Job", { spec: { scheduling, template: {} } });
    expect(job.unknown).toEqual(["spec.scheduling.disruptionMode.all.a"]);
    const data = { a: { b: "x" } };
    const revision = await decode("apps/v1", "ControllerRevision", { data, revision: 1 });
    expect(revision.unknown).toEqual([]);
    expect(revision.object["data"]).toEqual(data);
  });

  test("names the unknown fields of a patched object in their own order (STR-3)", async () => {
    const containers = [{ ...container, env: [{ $patch: "x" }], "$setElementOrder/env": [] }];
    const { unknown } = await decode("v1", "Pod", { spec: { containers } }, "patch");
    expect(unknown).toEqual([
      "spec.containers[0].$setElementOrder/env",
      "spec.containers[0].env[0].$patch",
    ]);
  });

  test("loses empty optional values and zeros, but not explicit ones of pointers (DEF-31)", async () => {
    const { object } = await decode("v1", "Pod", {
      metadata: { name: "a", labels: {}, finalizers: [] },
      spec: {
        containers: [{ ...container, args: [], tty: false, workingDir: "" }],
        hostNetwork: false,
        enableServiceLinks: false,
        nodeSelector: null,
        securityContext: {},
      },
    });
    expect(object).toEqual({
      metadata: { name: "a" },
      spec: {
        containers: [{ ...container, resources: {} }],
        enableServiceLinks: false,
        securityContext: {},
      },
      status: {},
    });
  });

  test("adds missing required fields", async () => {
    const { object } = await decode("rbac.authorization.k8s.io/v1", "Role", { metadata: {} });
    expect(object).toEqual({ metadata: {}, rules: null });
  });

  test("shares unchanged parts", async () => {
    const given = { metadata: { name: "a" }, data: { a: "1" } };
    const { object } = await decode("v1", "ConfigMap", given);
    expect(object).toBe(given);
  });

  test("has times and quantities in canonical form (DEF-7)", async () => {
    const { object } = await decode("v1", "Pod", {
      metadata: { creationTimestamp: "2026-01-01T01:00:00.5+01:00" },
      spec: { containers: [{ ...container, resources: { limits: { cpu: 0.5 } } }] },
    });
    expect(object["metadata"]).toEqual({ creationTimestamp: "2026-01-01T00:00:00Z" });
    expect((object["spec"] as Json)["containers"][0].resources.limits).toEqual({ cpu: "500m" });
  });

  test("reads null in a map or list as the zero value of its type", async () => {
    const limits = { cpu: null, memory: "1Gi" };
    const spec = { containers: [{ name: "a", args: [null, "b"], resources: { limits } }] };
    const { object } = await decode("v1", "Pod", { metadata: {}, spec });
    expect(object["spec"]).toMatchObject({
      containers: [{ args: ["", "b"], resources: { limits: { cpu: "0", memory: "1Gi" } } }],
    });
  });

  test.each([
    ["AA", 0],
    ["AAAAA", 4],
    ["!!", 0],
    ["AAA!", 3],
    ["AA=", 3],
    ["A===", 1],
    ["AA=A", 2],
    ["AA==A", 4],
  ])("reports the byte of %j that is not base64 (STR-4)", async (text, at) => {
    await expect(decode("v1", "Secret", { metadata: {}, data: { a: text } })).rejects.toThrow(
      `illegal base64 data at input byte ${at}`,
    );
  });

  test("keeps a key `__proto__` of a map", async () => {
    const data = JSON.parse(`{"__proto__": "a", "b": null}`) as Json;
    const { object } = await decode("v1", "ConfigMap", { metadata: {}, data });
    expect(JSON.stringify(object["data"])).toBe(`{"__proto__":"a","b":""}`);
  });

  test.each([
    [
      { metadata: "x" },
      "json: cannot unmarshal string into Go struct field Pod.metadata of type v1.ObjectMeta",
    ],
    [
      { spec: { containers: "x" } },
      "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container",
    ],
    [
      { spec: { containers: [{ name: 1 }] } },
      "json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string",
    ],
    [
      { spec: { restartPolicy: 1 } },
      "json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy",
    ],
    [
      { spec: { containers: [{ livenessProbe: { grpc: [] } }] } },
      "json: cannot unmarshal array into Go struct field Probe.spec.containers.livenessProbe.ProbeHandler.grpc of type v1.GRPCAction",
    ],
    [
      { spec: { volumes: [{ configMap: { items: [{ key: {} }] } }] } },
      "json: cannot unmarshal object into Go struct field KeyToPath.spec.volumes.VolumeSource.configMap.items.key of type string",
    ],
    [
      { spec: { containers: [{ securityContext: { capabilities: { add: [true] } } }] } },
      "json: cannot unmarshal bool into Go struct field Capabilities.spec.containers.securityContext.capabilities.add of type v1.Capability",
    ],
    [
      { spec: { priority: 1.5 } },
      "json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32",
    ],
    [
      { spec: { priority: 3_000_000_000 } },
      "json: cannot unmarshal number 3000000000 into Go struct field PodSpec.spec.priority of type int32",
    ],
    [
      { metadata: { labels: { a: true } } },
      "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string",
    ],
    [
      { metadata: { creationTimestamp: 5 } },
      "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string",
    ],
    [
      { metadata: { creationTimestamp: "yesterday" } },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      { spec: { containers: [{ resources: { limits: { cpu: "x" } } }] } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])("rejects %j with Go's message (STR-4)", async (object, message) => {
    await expect(decode("v1", "Pod", object)).rejects.toThrow(message);
  });

  test.each([
    [{ spec: 5 }, "cannot restore struct from: int64"],
    [{ spec: { containers: { name: "x" } } }, "cannot restore slice from map"],
    [{ metadata: { labels: "x" } }, "cannot restore map from string"],
    [{ spec: { priority: "three" } }, "unrecognized type: int32"],
    [{ spec: { priority: 1.5 } }, "cannot convert float64 to int32"],
    [{ spec: { nodeName: true } }, "unrecognized type: string"],
  ])(
    "rejects the result of a patch %j with the message for patches (SMP-41)",
    async (object, message) => {
      await expect(decode("v1", "Pod", object, "patch")).rejects.toThrow(message);
    },
  );
});

describe("strict decoding of a built-in kind", () => {
  const path = "/api/v1/namespaces/default/configmaps";
  const object = { metadata: { name: "a" }, data: { a: "1" }, dta: {} };

  test("warns by default, rejects under Strict, and is silent under Ignore (STR-1)", async () => {
    const client = new ApiClient(new FakeApiServer());
    const strict = await client.call("POST", `${path}?fieldValidation=Strict`, object);
    expect(strict.status).toBe(400);
    expect(strict.body["message"]).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dta"',
    );
    const silent = await client.call("POST", `${path}?fieldValidation=Ignore&dryRun=All`, object);
    expect(silent.headers.get("warning")).toBeNull();
    const { body, headers, status } = await client.call("POST", path, object);
    expect(status).toBe(201);
    expect(headers.get("warning")).toBe('299 - "unknown field \\"dta\\""');
    expect(body).not.toHaveProperty("dta");
  });
});
