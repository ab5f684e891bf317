import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { template, workloadSpec } from "../support/valid-specs.ts";

const headers = { "content-type": "application/apply-patch+yaml" };

class Applier {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5));
  readonly server = new FakeApiServer({ clock: this.clock, seed: 1 });
  readonly client = new ApiClient(this.server);

  /** Applies a string to the ConfigMap "a". */
  async applyText(body: string, query: string): Promise<Answer> {
    const url = `http://localhost${configMaps}/a?${query}`;
    const response = await this.server.fetch(new Request(url, { method: "PATCH", headers, body }));
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) };
  }

  apply(manager: string, fields: object, query = ""): Promise<Answer> {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...fields };
    return this.applyText(JSON.stringify(object), `fieldManager=${manager}${query}`);
  }
}

const deployments = "/apis/apps/v1/namespaces/default/deployments";

function applyDeployment(client: ApiClient, manager: string, fields: object): Promise<Answer> {
  const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } };
  const path = `${deployments}/web?fieldManager=${manager}`;
  return client.call("PATCH", path, { ...object, ...fields }, { headers });
}

describe("server-side apply", () => {
  test("SSA-8: creates a missing object, and changes an existing one", async () => {
    const applier = new Applier();
    const created = await applier.apply("one", { data: { x: "1" } });
    expect(created.status).toBe(201);
    const changed = await applier.apply("one", { data: { y: "2" } });
    expect(changed.status).toBe(200);
    expect(changed.body["data"]).toEqual({ y: "2" });
  });

  test("SSA-8: names the type that does not take a value", async () => {
    const applier = new Applier();
    const start =
      "failed to convert new object (/a; /v1, Kind=ConfigMap) to proper version: " +
      "unable to convert unstructured object to /v1, Kind=ConfigMap: ";
    const { body, status } = await applier.apply("one", { binaryData: { x: "YQ=" } });
    expect(status).toBe(500);
    expect(body["message"]).toBe(
      `${start}error decoding from json: illegal base64 data at input byte 3`,
    );
  });

  test("SSA-8: for a missing object accepts a numeric version, and rejects another", async () => {
    const applier = new Applier();
    const apply = (resourceVersion: string): Promise<Answer> =>
      applier.apply("one", { metadata: { name: "a", resourceVersion } });
    const refused = await apply("abc");
    expect([refused.status, refused.body["message"]]).toEqual([
      500,
      'strconv.ParseUint: parsing "abc": invalid syntax',
    ]);
    expect((await apply("5")).status).toBe(201);
  });

  test("SSA-27: an apply without a change is not a write", async () => {
    const applier = new Applier();
    const first = await applier.apply("one", { data: { x: "1" } });
    await applier.clock.advance(5000);
    const second = await applier.apply("one", { data: { x: "1" } });
    expect(second.body["metadata"]).toEqual(first.body["metadata"]);
  });

  test("SSA-22: the manager owns the fields of the body, in the version of the request", async () => {
    const { client, clock } = new Applier();
    const { body } = await applyDeployment(client, "one", {
      metadata: { name: "web", labels: { a: "b" }, annotations: {} },
      spec: { ...workloadSpec, replicas: 2 },
    });
    expect(body["metadata"]["managedFields"]).toEqual([
      {
        manager: "one",
        operation: "Apply",
        apiVersion: "apps/v1",
        time: new Date(clock.now()).toISOString().replace(".000", ""),
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:metadata": { "f:annotations": {}, "f:labels": { "f:a": {} } },
          "f:spec": {
            "f:replicas": {},
            "f:selector": {},
            "f:template": {
              "f:metadata": { "f:labels": { "f:app": {} } },
              "f:spec": {
                "f:containers": { 'k:{"name":"app"}': { ".": {}, "f:image": {}, "f:name": {} } },
              },
            },
          },
        },
      },
    ]);
    const less = await applyDeployment(client, "one", { spec: workloadSpec });
    const [entry] = less.body["metadata"]["managedFields"];
    expect(Object.keys(entry["fieldsV1"])).toEqual(["f:spec"]);
    expect(entry["fieldsV1"]["f:spec"]).not.toHaveProperty("f:replicas");
  });

  test("MF-6: the identity, and fields written by the server, have no owner", async () => {
    const applier = new Applier();
    const { body } = await applier.client.createConfigMap("a", { x: "1" });
    const { uid, resourceVersion } = body["metadata"] as Record<string, string>;
    const system = {
      ...{ name: "a", namespace: "default", uid, resourceVersion },
      ...{ creationTimestamp: "2001-01-01T00:00:00Z", generation: 7, selfLink: "/x" },
    };
    const applied = await applier.apply("one", { metadata: system, data: { y: "1" } });
    const entries = applied.body["metadata"]["managedFields"] as readonly Json[];
    expect(entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ["one", { "f:data": { "f:y": {} } }],
      ["unknown", { "f:data": { ".": {}, "f:x": {} } }],
    ]);
    const emptied = await applier.apply("one", {});
    expect(emptied.body["metadata"]["managedFields"]).toMatchObject([{ manager: "unknown" }]);
  });

  test("MF-7: fields that an endpoint resets are not owned by its writer", async () => {
    const { client } = new Applier();
    const status = { replicas: 3, observedGeneration: 9 };
    const applied = await applyDeployment(client, "one", { spec: workloadSpec, status });
    expect(applied.body["status"]).toEqual({});
    expect(applied.body["metadata"]["managedFields"][0].fieldsV1).not.toHaveProperty("f:status");
    const path = `${deployments}/web/status?fieldManager=two`;
    const metadata = { labels: { a: "b" }, annotations: { c: "d" } };
    const { body } = await client.call("PATCH", path, { metadata, spec: { replicas: 5 }, status });
    const [, two] = body["metadata"]["managedFields"];
    expect(two).toMatchObject({ manager: "two", subresource: "status" });
    expect(two["fieldsV1"]).toEqual({
      "f:metadata": { "f:annotations": { ".": {}, "f:c": {} } },
      "f:status": { "f:observedGeneration": {}, "f:replicas": {} },
    });
  });

  test("SSA-28: defaults have no owner, and a released field returns to its default", async () => {
    const { client } = new Applier();
    const { body } = await applyDeployment(client, "one", {
      spec: { ...workloadSpec, replicas: 3 },
    });
    expect(body["spec"]).toMatchObject({ replicas: 3, revisionHistoryLimit: 10 });
    const [entry] = body["metadata"]["managedFields"];
    expect(Object.keys(entry["fieldsV1"]["f:spec"])).toEqual([
      "f:replicas",
      "f:selector",
      "f:template",
    ]);
    const less = await applyDeployment(client, "one", { spec: workloadSpec });
    expect(less.body["spec"]["replicas"]).toBe(1);
    const other = await applyDeployment(client, "two", {
      spec: { ...workloadSpec, revisionHistoryLimit: 5 },
    });
    expect(other.status).toBe(200);
  });

  test("SSA-28: equal values are shared, and quantities are compared as strings", async () => {
    const { client } = new Applier();
    const spec = (cpu: string): object => {
      const container = { name: "app", image: "nginx:1.25", resources: { limits: { cpu } } };
      return { ...workloadSpec, template: template({ containers: [container] }) };
    };
    await applyDeployment(client, "one", { spec: spec("1") });
    expect((await applyDeployment(client, "two", { spec: spec("1") })).status).toBe(200);
    const refused = await applyDeployment(client, "two", { spec: spec("1000m") });
    expect(refused.status).toBe(409);
    expect(refused.body["message"]).toBe(
      'Apply failed with 1 conflict: conflict with "one": ' +
        '.spec.template.spec.containers[name="app"].resources.limits.cpu',
    );
  });

  test("SSA-13: a missing required key has its zero value, which is rejected later", async () => {
    const { client } = new Applier();
    const containers = [{ name: "app", image: "nginx:1.25" }, { image: "redis:7" }];
    const { body, status } = await applyDeployment(client, "one", {
      spec: { ...workloadSpec, template: template({ containers }) },
    });
    expect(status).toBe(422);
    expect(body["message"]).toBe(
      'Deployment.apps "web" is invalid: spec.template.spec.containers[1].name: Required value',
    );
  });

  test("SSA-24: removes a map of a built-in object with its last member", async () => {
    const applier = new Applier();
    await applier.apply("one", { data: { x: "1" } });
    await applier.apply("two", { data: {} });
    const { body, status } = await applier.apply("one", {});
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("data");
  });

  test("SSA-25: a conflict names the owners, and force takes over their fields", async () => {
    const applier = new Applier();
    await applier.client.createConfigMap("a", { x: "1" });
    const refused = await applier.apply("one", { data: { x: "2" } });
    expect(refused.status).toBe(409);
    expect(refused.body["message"]).toBe(
      'Apply failed with 1 conflict: conflict with "unknown" using v1: .data.x',
    );
    expect(refused.body["details"]).toEqual({
      causes: [
        {
          reason: "FieldManagerConflict",
          message: 'conflict with "unknown" using v1',
          field: ".data.x",
        },
      ],
    });
    const forced = await applier.apply("one", { data: { x: "2" } }, "&force=true");
    expect(forced.body["data"]).toEqual({ x: "2" });
  });

  test("SSA-9: a dry run responds completely and stores nothing", async () => {
    const applier = new Applier();
    const { body, status } = await applier.apply("one", { data: { x: "1" } }, "&dryRun=All");
    expect(status).toBe(201);
    expect(body["metadata"]["managedFields"]).toHaveLength(1);
    expect((await applier.client.get(`${configMaps}/a`)).status).toBe(404);
  });

  test.each([
    [
      "YAML",
      '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, data: {x: "1"}}',
    ],
    [
      "JSON",
      '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"x": "1"}}',
    ],
  ])("SSA-1: reads a body that begins like JSON and is %s", async (_what, text) => {
    const { body } = await new Applier().applyText(text, "fieldManager=one");
    expect(body["data"]).toEqual({ x: "1" });
  });

  test("SSA-1: reads YAML", async () => {
    const applier = new Applier();
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n';
    const { body } = await applier.applyText(text, "fieldManager=one");
    expect(body["data"]).toEqual({ x: "1" });
  });

  test("SSA-6: a duplicate key causes a warning, and is rejected under Strict", async () => {
    const applier = new Applier();
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: a\n  x: b\n";
    const { body, headers: answered } = await applier.applyText(text, "fieldManager=one");
    expect(body["data"]).toEqual({ x: "b" });
    expect(answered.get("warning")).toContain('line 6: key \\"x\\" already set in map');
    const strict = await applier.applyText(text, "fieldManager=one&fieldValidation=Strict");
    expect(strict.body["message"]).toBe(
      "error strict decoding YAML: error converting YAML to JSON: " +
        'yaml: unmarshal errors:\n  line 6: key "x" already set in map',
    );
  });

  test("SSA-21: keeps a member named __proto__, which is a valid key", async () => {
    const applier = new Applier();
    const data = JSON.parse('{"__proto__": "p", "constructor": "c"}');
    await applier.apply("one", { data: { x: "1" } });
    const applied = await applier.apply("two", { data });
    expect(JSON.stringify(applied.body["data"])).toBe(
      '{"x":"1","__proto__":"p","constructor":"c"}',
    );
    const givenUp = await applier.apply("two", {});
    expect(givenUp.body["data"]).toEqual({ x: "1" });
  });

  test.each([
    [
      "SSA-2: no field manager",
      "{}",
      "",
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: ' +
        "is required for apply patch",
    ],
    [
      "SSA-3: a list",
      "[]",
      "fieldManager=one",
      400,
      "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
        "array into Go value of type map[string]interface {}",
    ],
    ["SSA-3: nothing", "", "fieldManager=one", 400, "invalid object type: /, Kind="],
    [
      "SSA-3: another kind",
      "{apiVersion: v1, kind: Secret, metadata: {name: a}}",
      "fieldManager=one",
      400,
      "invalid object type: /v1, Kind=Secret",
    ],
    [
      "SSA-4: field ownership",
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, managedFields: []}}",
      "fieldManager=one",
      400,
      "metadata.managedFields must be nil",
    ],
    [
      "SSA-5: no name",
      "{apiVersion: v1, kind: ConfigMap}",
      "fieldManager=one",
      400,
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    ],
    [
      "SSA-12: a field that its type does not have",
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, nope: 1}",
      "fieldManager=one",
      500,
      "failed to create typed patch object (/a; /v1, Kind=ConfigMap): " +
        ".nope: field not declared in schema",
    ],
    [
      "SSA-7: a uid of a missing object",
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: u}}",
      "fieldManager=one",
      409,
      'Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object ' +
        "specified uid u, and no existing object was found",
    ],
  ])("rejects %s", async (_what, text, query, status, message) => {
    const answer = await new Applier().applyText(text, query);
    expect(answer.status).toBe(status);
    expect(answer.body["message"]).toBe(message);
  });
});
