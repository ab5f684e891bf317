import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

const headers = { "content-type": "application/apply-patch+yaml" };

class Applier {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5));
  readonly server = new FakeApiServer({ clock: this.clock, seed: 1 });
  readonly client = new ApiClient(this.server);

  /** Applies a text to the ConfigMap "a". */
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

describe("server-side apply", () => {
  test("SSA-8: creates what is missing, and changes what is there", async () => {
    const applier = new Applier();
    const created = await applier.apply("one", { data: { x: "1" } });
    expect(created.status).toBe(201);
    const changed = await applier.apply("one", { data: { y: "2" } });
    expect(changed.status).toBe(200);
    expect(changed.body["data"]).toEqual({ y: "2" });
  });

  test("SSA-27: one that changes nothing is no write", async () => {
    const applier = new Applier();
    const first = await applier.apply("one", { data: { x: "1" } });
    await applier.clock.advance(5000);
    const second = await applier.apply("one", { data: { x: "1" } });
    expect(second.body["metadata"]).toEqual(first.body["metadata"]);
  });

  test("SSA-25: a conflict names the owners, and force takes their fields", async () => {
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

  test("SSA-9: a dry run answers in full and stores nothing", async () => {
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
  ])("SSA-1: reads what begins like JSON and is %s", async (_what, text) => {
    const { body } = await new Applier().applyText(text, "fieldManager=one");
    expect(body["data"]).toEqual({ x: "1" });
  });

  test("SSA-1: reads YAML", async () => {
    const applier = new Applier();
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n';
    const { body } = await applier.applyText(text, "fieldManager=one");
    expect(body["data"]).toEqual({ x: "1" });
  });

  test("SSA-6: a key that is there twice is warned of, and refused under Strict", async () => {
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

  test("SSA-21: keeps a member named __proto__, which is a legal key", async () => {
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
  ])("refuses %s", async (_what, text, query, status, message) => {
    const answer = await new Applier().applyText(text, query);
    expect(answer.status).toBe(status);
    expect(answer.body["message"]).toBe(message);
  });
});
