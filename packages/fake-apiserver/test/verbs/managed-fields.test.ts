// Handling of `metadata.managedFields` in updates and patches.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { managerOf } from "../../src/ownership/field-writer.ts";
import { type Answer, ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

const path = `${configMaps}/a`;
const applying = { headers: { "content-type": "application/apply-patch+yaml" } };

function setUp(): { readonly client: ApiClient; readonly clock: ManualClock } {
  const clock = new ManualClock();
  return { clock, client: new ApiClient(new FakeApiServer({ clock, seed: 1 })) };
}

function entry(traits: object = {}): object {
  return {
    manager: "m",
    operation: "Update",
    apiVersion: "v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:x": {} } },
    ...traits,
  };
}

function entriesOf({ body }: Answer): readonly Json[] | undefined {
  return body["metadata"]["managedFields"];
}

function managersOf(answer: Answer): readonly string[] | undefined {
  return entriesOf(answer)?.map(({ manager }) => manager as string);
}

function patchEntries(client: ApiClient, managedFields: unknown, query = ""): Promise<Answer> {
  return client.call("PATCH", `${path}${query}`, { metadata: { managedFields } });
}

describe("the manager of a write", () => {
  test.each([
    ["tool", "kubectl/v1.36.4 (linux/amd64)", "tool"],
    ["", "kubectl/v1.36.4 (linux/amd64)", "kubectl"],
    ["", "Mozilla", "Mozilla"],
    ["", "a program/1.0/x", "a program"],
    ["", "", "unknown"],
    ["", "/1.0", "unknown"],
    ["", "a\u0007b\u00a0c/1", "abc"],
    ["", `${"x".repeat(200)}/1`, "x".repeat(128)],
    ["", `${"\u00fc".repeat(100)}x/1`, "\u00fc".repeat(64)],
  ])("MF-20: with the field manager %j and the user agent %j is %j", (manager, agent, expected) => {
    expect(managerOf(manager, agent)).toBe(expected);
  });

  test("MF-20: is the field manager, or else the program of the request", async () => {
    const { client } = setUp();
    // Chromium ignores this header of a request.
    const headers = { "user-agent": "my-program/7 (x)" };
    const isTaken = new Request("http://localhost", { headers }).headers.has("user-agent");
    const create = (name: string, query: string): Promise<Answer> =>
      client.call(
        "POST",
        `${configMaps}${query}`,
        { metadata: { name }, data: { x: "1" } },
        {
          headers,
        },
      );
    const program = isTaken ? "my-program" : "unknown";
    expect(managersOf(await create("a", ""))).toEqual([program]);
    expect(managersOf(await create("b", "?fieldManager=tool"))).toEqual(["tool"]);
    const long = await create("c", `?fieldManager=${"\u00fc".repeat(65)}`);
    expect(long.body["message"]).toBe(
      'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: ' +
        "may not be more than 128 bytes",
    );
  });
});

describe("managed fields in an update", () => {
  test.each([
    ["no entry", []],
    ["an empty entry", [{}]],
  ])("MF-25: are cleared by %s, by PUT and by each patch", async (_what, managedFields) => {
    const patch = { metadata: { managedFields } };
    const operations = [{ op: "replace", path: "/metadata/managedFields", value: managedFields }];
    const writes = [
      ["PUT", "application/json", { metadata: { name: "a", managedFields }, data: { x: "1" } }],
      ["PATCH", "application/merge-patch+json", patch],
      ["PATCH", "application/strategic-merge-patch+json", patch],
      ["PATCH", "application/json-patch+json", operations],
    ] as const;
    for (const [method, type, body] of writes) {
      const { client } = setUp();
      await client.createConfigMap("a", { x: "1" });
      const answer = await client.call(method, path, body, { headers: { "content-type": type } });
      expect([type, answer.status, entriesOf(answer)]).toEqual([type, 200, undefined]);
    }
  });

  test("MF-25: that are valid replace the entries, and the write is added", async () => {
    const { client } = setUp();
    await client.createConfigMap("a", { x: "1" });
    const replaced = await patchEntries(client, [entry()]);
    expect(entriesOf(replaced)).toEqual([entry()]);
    const change = { metadata: { managedFields: [entry()] }, data: { y: "1" } };
    const changed = await client.call("PATCH", `${path}?fieldManager=n`, change);
    expect(entriesOf(changed)).toMatchObject([
      entry(),
      { manager: "n", fieldsV1: { "f:data": { "f:y": {} } } },
    ]);
  });

  test.each([
    ["null", null],
    ["no operation", [entry({ operation: "" })]],
    ["another operation", [entry({ operation: "Delete" })]],
    ["no version", [entry({ apiVersion: "" })]],
    ["another type of fields", [entry({ fieldsType: "FieldsV2" })]],
    ["an unknown path element", [entry({ fieldsV1: { "x:data": {} } })]],
    ["one that cannot be read", [entry(), entry({ manager: "n", operation: "" })]],
  ])("MF-25: that cannot be decoded do not change the entries: %s", async (_what, sent) => {
    const { client } = setUp();
    const created = await client.createConfigMap("a", { x: "1" });
    const patched = await patchEntries(client, sent);
    expect(patched).toMatchObject({ status: 200, body: created.body });
  });

  test.each([
    [
      { manager: "m".repeat(129) },
      "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
    ],
    [
      { subresource: "s".repeat(257) },
      "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
    ],
    [
      { manager: "a\nb" },
      'metadata.managedFields[0].manager: Invalid value: "a\\nb": ' +
        "invalid character U+000A (at position 1)",
    ],
  ])("MF-25: that can be decoded and are invalid are rejected: %j", async (traits, problem) => {
    const { client } = setUp();
    await client.createConfigMap("a", { x: "1" });
    const { body, status } = await patchEntries(client, [entry(traits)]);
    expect(status).toBe(422);
    expect(body["message"]).toBe(`ConfigMap "a" is invalid: ${problem}`);
    expect(body["details"]["causes"]).toHaveLength(1);
  });

  test("MF-25: are ignored by subresources", async () => {
    const { client } = setUp();
    const metadata = { name: "n", labels: { a: "b" } };
    const created = await client.call("POST", "/api/v1/nodes", { metadata });
    const change = { metadata: { managedFields: [] }, status: { phase: "Running" } };
    const patched = await client.call("PATCH", "/api/v1/nodes/n/status", change);
    expect(entriesOf(patched)).toEqual([
      ...(entriesOf(created) ?? []),
      expect.objectContaining({ subresource: "status" }),
    ]);
  });
});

describe("an object without entries", () => {
  test("MF-23: is not tracked by updates, but from the next apply on", async () => {
    const { client } = setUp();
    await client.createConfigMap("a", { x: "1" });
    await patchEntries(client, [{}]);
    const updated = await client.updateConfigMap("a", { x: "2", y: "1" });
    expect(entriesOf(updated)).toBeUndefined();
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    const applied = { ...object, data: { z: "1" } };
    const answer = await client.call("PATCH", `${path}?fieldManager=one`, applied, applying);
    expect(managersOf(answer)).toEqual(["one", "before-first-apply"]);
    const again = await client.updateConfigMap("a", { y: "2" });
    expect(managersOf(again)).toEqual(["one", "before-first-apply", "unknown"]);
  });

  test("MF-23: is tracked when it is new", async () => {
    const { client } = setUp();
    const object = { metadata: { name: "a", managedFields: [] }, data: { x: "1" } };
    expect(managersOf(await client.call("POST", configMaps, object))).toEqual(["unknown"]);
  });
});

test("MF-26: a write that would change only the times of entries is skipped", async () => {
  const { client, clock } = setUp();
  const { body } = await client.createConfigMap("a", { x: "1" });
  const [stored] = body["metadata"]["managedFields"];
  await clock.advance(5000);
  const other = { ...stored, time: "2020-01-01T00:00:00Z" };
  const retimed = await patchEntries(client, [other]);
  expect(retimed).toMatchObject({ status: 200, body });
  const more = await patchEntries(client, [{ ...other, fieldsV1: { "f:data": {} } }]);
  expect(more.body["metadata"]["resourceVersion"]).not.toBe(body["metadata"]["resourceVersion"]);
  expect(entriesOf(more)?.[0]?.["time"]).toBe("2020-01-01T00:00:00Z");
});
