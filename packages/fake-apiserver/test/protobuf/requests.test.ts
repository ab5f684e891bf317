import { FakeApiServer } from "@listwatch/fake-apiserver";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { beforeEach, describe, expect, test } from "vitest";
import { loadProtobuf } from "../../src/protobuf/protobuf.ts";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const protobuf = "application/vnd.kubernetes.protobuf";
const partial = "as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const codec = await loadProtobuf();
const nothing = { apiVersion: "", kind: "" };
const configMap = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "a" },
  data: { k: "v" },
};

const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const definition = widgetsCrd({ type: "object" });

let server: FakeApiServer;
let client: ApiClient;
beforeEach(() => {
  server = new FakeApiServer({ seed: 1, crds: [definition] });
  client = new ApiClient(server);
});

/** Sends an object, or bytes, as protobuf. */
function send(method: string, path: string, body: object, accept = protobuf): Promise<Response> {
  const bytes = body instanceof Uint8Array ? body : codec.encode({ ...body });
  const headers = { "content-type": protobuf, accept };
  // Copied, since a body needs a separate buffer.
  const init = { method, headers, body: Uint8Array.from(bytes) };
  return server.fetch(new Request(`http://localhost${path}`, init));
}

function ask(path: string, accept = protobuf): Promise<Response> {
  return client.send("GET", path, undefined, { headers: { accept } });
}

async function decoded(response: Response): Promise<Json> {
  expect(response.headers.get("content-type")).toBe(protobuf);
  return codec.decode(new Uint8Array(await response.arrayBuffer()), nothing);
}

describe("a body in protobuf", () => {
  test("is stored like one in JSON, and answered in the requested type (PB-1)", async () => {
    const created = await decoded(await send("POST", configMaps, configMap));
    expect(created).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", data: { k: "v" } });
    const { metadata } = created;
    const { body } = await client.get(`${configMaps}/a`);
    expect(body).toMatchObject({ data: { k: "v" }, metadata: { uid: metadata["uid"] } });
    const changed = { ...configMap, data: { k: "w" } };
    const updated = await send("PUT", `${configMaps}/a`, changed, "application/json");
    expect(await updated.json()).toMatchObject({ data: { k: "w" } });
  });

  test("gets the defaults of its kind", async () => {
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "b" }] } };
    const deployment = {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name: "web" },
      spec: { selector: { matchLabels: labels }, template },
    };
    const path = "/apis/apps/v1/namespaces/default/deployments";
    const created = await decoded(await send("POST", path, deployment));
    expect(created["spec"]).toMatchObject({
      replicas: 1,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%" } },
      template: { spec: { restartPolicy: "Always", containers: [{ imagePullPolicy: "Always" }] } },
    });
  });

  test("may lack its type, which the request implies (PB-2)", async () => {
    const whole = codec.encode(configMap);
    const untyped = [0x6b, 0x38, 0x73, 0, ...whole.subarray(whole.indexOf(0x12, 20))];
    const created = await decoded(await send("POST", configMaps, Uint8Array.from(untyped)));
    expect(created).toMatchObject({ kind: "ConfigMap", data: { k: "v" } });
  });

  test("may be the options of a delete", async () => {
    await send("POST", configMaps, configMap);
    const options = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "other" } };
    const refused = await send("DELETE", `${configMaps}/a`, options);
    expect(refused.status).toBe(409);
    const background = { ...options, preconditions: {}, propagationPolicy: "Background" };
    expect((await send("DELETE", `${configMaps}/a`, background)).status).toBe(200);
  });

  test("is rejected with its first bytes when it cannot be decoded (PB-4)", async () => {
    const words = async (bytes: readonly number[]): Promise<string> => {
      const response = await send("POST", configMaps, Uint8Array.from(bytes), "application/json");
      expect(response.status).toBe(400);
      const { message } = (await response.json()) as Json;
      return String(message);
    };
    const unrecognized = "the object provided is unrecognized (must be of type ConfigMap): ";
    expect(await words([0x6b, 0x38, 0x73, 0, 0x0a, 0x01])).toBe(
      `${unrecognized}unexpected EOF (6b3873000a01)`,
    );
    expect(await words(Array.from({ length: 40 }, () => 1))).toBe(
      `${unrecognized}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (${"01".repeat(30)} ...)`,
    );
    expect(await words([])).toBe(`${unrecognized}empty data (<empty>)`);
    expect(await words([...codec.encode(configMap).subarray(0, 21), 0x12, 1, 0x0a])).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
    );
  });

  test("of another kind is rejected like one in JSON", async () => {
    const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "a" } };
    const response = await send("POST", configMaps, pod, "application/json");
    expect(response.status).toBe(400);
    expect(((await response.json()) as Json)["message"]).toMatch(/unknown conversion$/);
  });

  test("is rejected for custom resources and patches, and CBOR for everything (PB-1, PB-10, API-6.8)", async () => {
    const json = "application/json";
    expect((await send("POST", widgets, configMap, json)).status).toBe(415);
    expect((await send("PATCH", `${configMaps}/a`, configMap, json)).status).toBe(415);
    const malformed = Uint8Array.from([0x6b, 0x38, 0x73, 0, 0x0a, 0xff]);
    expect((await send("POST", widgets, malformed, json)).status).toBe(415);
    const headers = { "content-type": "application/cbor" };
    const response = await client.send("POST", configMaps, configMap, { headers });
    expect(response.status).toBe(415);
    expect((await ask(configMaps, "application/cbor")).status).toBe(406);
  });
});

describe("protobuf requests of kubectl are answered in JSON on request (API-0.1)", () => {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "b" }] } };
  const pods = { verb: "list", resource: "pods", namespace: "default" };
  test.each([
    ["/api/v1/namespaces", "v1 Namespace", {}],
    [configMaps, "v1 ConfigMap", { data: { k: "v" } }],
    ["/api/v1/namespaces/default/serviceaccounts", "v1 ServiceAccount", {}],
    [
      "/apis/apps/v1/namespaces/default/deployments",
      "apps/v1 Deployment",
      { spec: { selector: { matchLabels: labels }, template } },
    ],
    [
      "/apis/batch/v1/namespaces/default/jobs",
      "batch/v1 Job",
      { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
    ],
    [
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      "authorization.k8s.io/v1 SelfSubjectAccessReview",
      { spec: { resourceAttributes: pods } },
    ],
    [
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      "authentication.k8s.io/v1 SelfSubjectReview",
      {},
    ],
    [
      "/api/v1/namespaces/default/serviceaccounts/app/token",
      "authentication.k8s.io/v1 TokenRequest",
      { spec: { expirationSeconds: 3600 } },
    ],
  ])("POST %s: %s", async (path, type, fields) => {
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    await client.call("POST", accounts, { metadata: { name: "app" } });
    const [apiVersion = "", kind = ""] = type.split(" ");
    const object = { apiVersion, kind, metadata: { name: "made" }, ...fields };
    const isNameless = kind === "TokenRequest" || kind.endsWith("Review");
    const body = isNameless ? { ...object, metadata: {} } : object;
    const response = await send("POST", path, body, "application/json");
    expect(response.status).toBe(201);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ apiVersion, kind });
  });
});

describe("a response in protobuf", () => {
  test("may be a list, in pages, or only the metadata (PB-1)", async () => {
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name, { k: name });
    const list = await decoded(await ask(`${configMaps}?limit=2`));
    expect(list).toMatchObject({
      kind: "ConfigMapList",
      metadata: { remainingItemCount: 1 },
      items: [{ data: { k: "a" } }, { data: { k: "b" } }],
    });
    const metadata = await decoded(await ask(`${configMaps}/a`, `${protobuf};${partial}`));
    expect(metadata).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
    expect(metadata["data"]).toBeUndefined();
  });

  test("may be an error (PB-1)", async () => {
    expect(await decoded(await ask(`${configMaps}/missing`))).toMatchObject({
      kind: "Status",
      apiVersion: "v1",
      message: 'configmaps "missing" not found',
      details: { name: "missing", kind: "configmaps" },
      code: 404,
    });
  });

  test("may be discovery (PB-1)", async () => {
    const { groupVersion, kind, resources } = await decoded(await ask("/apis/apps/v1"));
    expect([kind, groupVersion]).toEqual(["APIResourceList", "apps/v1"]);
    expect(resources).toContainEqual(expect.objectContaining({ name: "deployments" }));
    expect(await decoded(await ask("/apis"))).toMatchObject({ kind: "APIGroupList" });
  });

  test("does not exist for tables and custom resources, except for their metadata (PB-1)", async () => {
    const table = `${protobuf};as=Table;v=v1;g=meta.k8s.io`;
    expect((await ask(configMaps, table)).status).toBe(406);
    expect((await ask(widgets)).status).toBe(406);
    const either = await ask(widgets, `${protobuf},application/json`);
    expect(either.headers.get("content-type")).toBe("application/json");
    const list = `${protobuf};${partial.replace("Metadata;", "MetadataList;")}`;
    const { kind } = await decoded(await ask(widgets, list));
    expect(kind).toBe("PartialObjectMetadataList");
    expect((await ask("/version")).status).toBe(406);
    const version = await ask("/version", `${protobuf},application/json`);
    expect([version.status, await version.json()]).toEqual([200, expect.anything()]);
  });
});

describe("a watch in protobuf", () => {
  /** Reads frames: a length of four bytes, and an event of that length. */
  async function* events(response: Response): AsyncGenerator<Json, void, void> {
    let waiting = new Uint8Array();
    const reader = response.body?.getReader();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      waiting = Uint8Array.from([...waiting, ...next.value]);
      while (waiting.length >= 4) {
        const length = new DataView(waiting.buffer).getUint32(0);
        if (waiting.length < 4 + length) break;
        yield eventIn(waiting.subarray(4, 4 + length));
        waiting = waiting.slice(4 + length);
      }
    }
  }

  /** Reads { 1: type, 2: { 1: envelope } }. */
  function eventIn(bytes: Uint8Array): Json {
    const reader = new BinaryReader(bytes);
    reader.tag();
    const type = reader.string();
    reader.tag();
    const inner = new BinaryReader(reader.bytes());
    inner.tag();
    return { type, object: codec.decode(inner.bytes(), nothing) };
  }

  test("has each event after its length (PB-3)", async () => {
    await client.createConfigMap("a");
    const response = await ask(`${configMaps}?watch=true&resourceVersion=0`);
    expect(response.headers.get("content-type")).toBe(`${protobuf};stream=watch`);
    await client.updateConfigMap("a", { k: "v" });
    await client.call("DELETE", `${configMaps}/a`);
    const seen: string[] = [];
    for await (const { object, type } of events(response)) {
      expect([object.kind, object.apiVersion]).toEqual(["ConfigMap", "v1"]);
      seen.push(`${type} ${object.metadata.name} ${object.data?.k ?? ""}`);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["ADDED a ", "MODIFIED a v", "DELETED a v"]);
  });

  test("has bookmarks, metadata and errors in the same form (PB-3)", async () => {
    await client.createConfigMap("a", { k: "v" });
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    const path = `${configMaps}?${query}&allowWatchBookmarks=true`;
    const response = await ask(path, `${protobuf};${partial}`);
    const seen: Json[] = [];
    for await (const event of events(response)) {
      seen.push(event);
      if (event["type"] !== "BOOKMARK") continue;
      for (const watch of server.control.watches.list()) watch.sendError({ code: 410 });
    }
    expect(seen.map(({ type }) => type as string)).toEqual(["ADDED", "BOOKMARK", "ERROR"]);
    expect(seen[0]?.["object"]).toMatchObject({ kind: "PartialObjectMetadata" });
    expect(seen[1]?.["object"].metadata.annotations).toEqual({
      "k8s.io/initial-events-end": "true",
    });
    expect(seen[2]?.["object"]).toMatchObject({ kind: "Status", code: 410, reason: "Expired" });
  });
});
