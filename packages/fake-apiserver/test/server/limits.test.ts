import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps } from "../support/api-client.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const mebibyte = 1_048_576;

/** Sends a body of any type unchanged. */
async function send(
  server: FakeApiServer,
  method: string,
  path: string,
  type: string,
  body: string,
): Promise<Pick<Answer, "status" | "body">> {
  const headers = { "content-type": type };
  const url = `http://localhost${path}`;
  const response = await server.fetch(new Request(url, { method, headers, body }));
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe("objects", () => {
  test("of more than 1.5 MiB are rejected with etcd's message, for every kind of write", async () => {
    // A ConfigMap may have 1 MiB of data, less than the storage limit.
    const server = new FakeApiServer({ validation: "off" });
    const client = new ApiClient(server);
    const half = "x".repeat(mebibyte - 1000);
    const refused = { code: 500, message: "etcdserver: request is too large" };
    expect((await client.createConfigMap("a", { half })).status).toBe(201);
    const { revision } = server.control;
    expect((await client.createConfigMap("b", { half, other: half })).body).toMatchObject(refused);
    expect((await client.updateConfigMap("a", { other: half })).body).toMatchObject(refused);
    const copies = [{ op: "copy", from: "/data/half", path: "/data/other" }];
    const patch = "application/json-patch+json";
    const path = `${configMaps}/a`;
    expect((await send(server, "PATCH", path, patch, JSON.stringify(copies))).body).toMatchObject(
      refused,
    );
    expect(server.control.revision).toBe(revision);
    expect((await client.get(path)).body["data"]).toEqual({ half });
  });

  test("count in bytes of UTF-8, and the limit is an option", async () => {
    const client = new ApiClient(new FakeApiServer({ limits: { objectBytes: 1000 } }));
    expect((await client.createConfigMap("a", { text: "x".repeat(600) })).status).toBe(201);
    expect((await client.createConfigMap("b", { text: "ü".repeat(600) })).status).toBe(500);
  });

  test("cannot grow through the copies of a small patch", async () => {
    const server = new FakeApiServer();
    await new ApiClient(server).createConfigMap("a", { a: "x".repeat(1000) });
    const doubling = Array.from({ length: 30 }, (_, index) => ({
      op: "copy",
      from: "/data",
      path: `/data/d${index}`,
    }));
    const type = "application/json-patch+json";
    const answer = await send(server, "PATCH", `${configMaps}/a`, type, JSON.stringify(doubling));
    expect(answer.status).toBe(422);
  });

  test.each(["apiVersion", "kind"])("with an object as %s are rejected with 400", async (field) => {
    const client = new ApiClient(new FakeApiServer());
    const odd: object = { metadata: { name: "a" }, [field]: { toString: 1 } };
    for (const path of [configMaps, "/apis/apps/v1/namespaces/default/deployments"]) {
      const { body, status } = await client.call("POST", path, odd);
      expect(status).toBe(400);
      expect(body["message"]).toContain(
        `json: cannot unmarshal object into Go struct field .${field} of type string`,
      );
    }
  });

  test("with members named like methods can be shown in tables", async () => {
    const client = new ApiClient(new FakeApiServer());
    const odd = { toString: 1, valueOf: 1 };
    const spec = { selector: { matchLabels: { a: odd }, matchExpressions: [{ key: odd }] } };
    const path = "/apis/apps/v1/namespaces/default/replicasets";
    const created = await client.call("POST", path, { metadata: { name: "a" }, spec });
    expect(created.status).toBeLessThan(500);
    const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    expect((await client.call("GET", path, undefined, { headers })).status).toBe(200);
  });
});

describe("bodies", () => {
  test("of more than 3 MiB are rejected, including patches, whatever their Content-Length is", async () => {
    const server = new FakeApiServer();
    await new ApiClient(server).createConfigMap("a");
    const data = { text: "x".repeat(3 * mebibyte) };
    const refused = { code: 413, message: "Request entity too large: limit is 3145728" };
    const type = "application/merge-patch+json";
    const body = JSON.stringify({ data });
    expect((await send(server, "PATCH", `${configMaps}/a`, type, body)).body).toMatchObject(
      refused,
    );
    const headers = { "content-type": type, "content-length": "5" };
    const url = `http://localhost${configMaps}/a`;
    const lying = new Request(url, { method: "PATCH", headers, body });
    expect((await server.fetch(lying)).status).toBe(413);
  });

  test.each([
    ["application/json", (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`],
    ["application/json", (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`],
    ["application/yaml", (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`],
    ["application/yaml", (depth: number) => "- ".repeat(depth)],
  ])("of %s that are too deep get the server's message", async (type, textOf) => {
    const server = new FakeApiServer();
    for (const depth of [10_001, 100_000]) {
      const { body, status } = await send(server, "POST", configMaps, type, textOf(depth));
      expect([status, body["message"].slice(0, 400)]).toEqual([
        400,
        expect.stringContaining("exceeded max depth"),
      ]);
    }
  });

  test("of any depth are answered, and do not affect the server", async () => {
    const server = new FakeApiServer();
    for (let depth = 500; depth < 12_000; depth += 500) {
      const nested = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
      const text = `{"metadata":{"name":"n${depth}"},"spec":${nested}}`;
      const path = "/api/v1/namespaces/default/pods";
      const { status } = await send(server, "POST", path, "application/json", text);
      expect([201, 400, 422]).toContain(status);
    }
    const response = await server.fetch(new Request("http://localhost/api/v1/pods"));
    expect(response.status).toBe(200);
  });

  test.each([
    [
      "application/json-patch+json",
      (parent: string, nested: object) => [{ op: "add", path: `${parent}/a`, value: nested }],
    ],
    [
      "application/merge-patch+json",
      (parent: string, nested: object) => inside(parent.split("/").slice(1), { a: nested }),
    ],
    [
      "application/apply-patch+yaml",
      (parent: string, nested: object) => ({
        apiVersion: "example.com/v1",
        kind: "Widget",
        metadata: { name: "a" },
        ...inside(parent.split("/").slice(1), { a: nested }),
      }),
    ],
  ])("of %s make no object too deep, one after the other", async (type, bodyOf) => {
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
    const server = new FakeApiServer({ crds: [widgetsCrd(schema)] });
    const path = "/apis/example.com/v1/namespaces/default/widgets";
    const kind = { apiVersion: "example.com/v1", kind: "Widget" };
    const widget = JSON.stringify({ ...kind, metadata: { name: "a" }, spec: {} });
    await send(server, "POST", path, "application/json", widget);
    const nested = inside(
      Array.from({ length: 60 }, () => "a"),
      {},
    );
    let parent = "/spec";
    const answers: unknown[] = [];
    for (let patch = 0; patch < 12; patch++) {
      const text = JSON.stringify(bodyOf(parent, nested));
      const url = `${path}/a?fieldManager=me`;
      const { body, status } = await send(server, "PATCH", url, type, text);
      answers.push(status === 200 ? 200 : [status, body["message"]]);
      parent += "/a".repeat(61);
    }
    expect(answers.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => 200));
    const refusal = answers.find((answer) => answer !== 200);
    expect(refusal).toEqual([400, expect.stringContaining("exceeded max depth")]);
    for (const at of [path, `${path}/a`, "/apis/example.com/v1/widgets"]) {
      const request = new Request(`http://localhost${at}`, {
        headers: { accept: "application/yaml" },
      });
      const response = await server.fetch(request);
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("spec:"),
      ]);
    }
  });

  test("of YAML with aliases of aliases are rejected", async () => {
    const levels = Array.from({ length: 30 }, (_, index) => {
      const below = Array.from({ length: 9 }, () => `*l${index}`).join(", ");
      return `l${index + 1}: &l${index + 1} [${below}]`;
    });
    const text = ["l0: &l0 [x]", ...levels].join("\n");
    const { body, status } = await send(
      new FakeApiServer(),
      "POST",
      configMaps,
      "application/yaml",
      text,
    );
    expect(status).toBe(400);
    expect(body["message"]).toContain("yaml: document contains excessive aliasing");
  });
});

describe("history", () => {
  test("is limited by its bytes as well as its events", async () => {
    const server = new FakeApiServer({ limits: { historyBytes: 100_000 } });
    const client = new ApiClient(server);
    const revisions: number[] = [];
    for (let index = 0; index < 30; index++) {
      await client.createConfigMap(`c${index}`, { text: "x".repeat(10_000) });
      revisions.push(server.control.revision);
    }
    const watch = async (revision: number | undefined): Promise<string> => {
      const path = `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${revision}`;
      const reader = await client.watch(path);
      const [event = ""] = await reader.take(1);
      await reader.response.body?.cancel().catch(() => undefined);
      return event;
    };
    expect(await watch(revisions[0])).toMatch(/^ERROR/);
    expect(await watch(revisions[25])).toBe("ADDED c26");
    expect(server.control.eventLog("configmaps").length).toBeLessThan(10);
  });

  test("of all resources together is limited, and ends at the oldest events", async () => {
    const server = new FakeApiServer({ limits: { totalHistoryBytes: 100_000 } });
    const client = new ApiClient(server);
    await client.createConfigMap("a");
    const { revision } = server.control;
    await client.createConfigMap("b");
    const stringData = { text: "x".repeat(10_000) };
    for (let index = 0; index < 20; index++) {
      const secret = {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: `s${index}` },
        stringData,
      };
      await client.call("POST", "/api/v1/namespaces/default/secrets", secret);
    }
    const reader = await client.watch(`${configMaps}?watch=1&resourceVersion=${revision}`);
    expect(await reader.next()).toMatchObject({ type: "ERROR", object: { code: 410 } });
    const exact = `${configMaps}?resourceVersion=${revision}&resourceVersionMatch=Exact`;
    expect((await client.get(exact)).status).toBe(410);
    expect((await client.get(configMaps)).body["items"]).toHaveLength(2);
  });

  test("without events works, also for an object larger than its limit", async () => {
    for (const limits of [{ historyEvents: 0 }, { historyBytes: 1 }, { totalHistoryBytes: 1 }]) {
      const client = new ApiClient(new FakeApiServer({ limits }));
      await client.createConfigMap("a");
      await client.createConfigMap("b");
      expect((await client.get(configMaps)).body["items"]).toHaveLength(2);
    }
  });
});

function inside(path: readonly string[], value: object): object {
  return path.toReversed().reduce((member, key) => ({ [key]: member }), value);
}
