import {
  Collection,
  countDroppedFields,
  createClient,
  createConnection,
  DroppedFieldsError,
  jsonDecoder,
  StatusError,
  type CollectionOptions,
  type Encoding,
  type Warning,
} from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { lazyMembers } from "@listwatch/core-fifo/base";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { delimited, joined, list, numeric } from "./samples.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const protobuf = "application/vnd.kubernetes.protobuf";
const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const { signal } = new AbortController();

interface Settings {
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly encoding?: Encoding;
  readonly options?: Partial<CollectionOptions>;
}

function collecting({ fetch, encoding, options }: Settings = {}) {
  const api = new FakeApiServer({
    seed: 1,
    objects: [
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: "default", name: "a" },
        data: { key: "a text that is long enough to be lazy" },
      },
      widgetsCrd(),
    ],
  });
  const asked: (string | null)[] = [];
  const answered: (string | null)[] = [];
  const connection = createConnection({
    server: "http://cluster",
    encoding,
    fetch: async (request) => {
      asked.push(request.headers.get("accept"));
      const response = await (fetch ?? api.fetch)(request);
      answered.push(response.headers.get("content-type"));
      return response;
    },
  });
  const collection = new Collection({ connection, resource: configMaps, ...options });
  return { asked, answered, collection, connection };
}

async function itemsOf(collection: Collection): Promise<object[]> {
  const items: object[] = [];
  const { items: batches } = await collection.list({}, { signal });
  for await (const batch of batches) items.push(...batch);
  return items;
}

test("a collection requests protobuf, and its objects are lazy (PBL-1, PBL-9)", async () => {
  const { asked, answered, collection } = collecting({ options: { encoding: "protobuf" } });
  const [object = {}] = await itemsOf(collection);
  expect(Object.hasOwn(object, lazyMembers)).toBe(true);
  expect(object).toMatchObject({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "a" },
    data: { key: "a text that is long enough to be lazy" },
  });
  expect(asked).toEqual([`${protobuf},application/json;q=0.9`]);
  expect(answered).toEqual([protobuf]);
});

test("a collection requests JSON by default", async () => {
  const { asked, collection } = collecting();
  expect(await itemsOf(collection)).toHaveLength(1);
  expect(asked).toEqual(["application/json"]);
});

test("the option of a connection applies to its collections, not to clients (PBL-10)", async () => {
  const { asked, collection, connection } = collecting({ encoding: "protobuf" });
  await itemsOf(collection);
  const client = createClient(connection).resource(configMaps);
  const { items } = await client.list();
  await client.get("default/a");
  expect(items).toHaveLength(1);
  expect(asked).toEqual([
    `${protobuf},application/json;q=0.9`,
    "application/json",
    "application/json",
  ]);
});

test("a watch receives protobuf", async () => {
  const { answered, collection } = collecting({ encoding: "protobuf" });
  const stop = new AbortController();
  const batches = await collection.watch({ resourceVersion: "0" }, { signal: stop.signal });
  for await (const [event] of batches) {
    if (event === undefined) continue;
    expect(event).toMatchObject({ type: "ADDED", object: { metadata: { name: "a" } } });
    break;
  }
  expect(answered).toEqual([`${protobuf};stream=watch`]);
  stop.abort();
});

test("custom resources are requested as JSON, their metadata as protobuf (PBL-10)", async () => {
  const resource = { group: "example.com", version: "v1", resource: "widgets" };
  const { asked, collection } = collecting({ encoding: "protobuf", options: { resource } });
  expect(await itemsOf(collection)).toEqual([]);
  const metadataOnly = collecting({
    encoding: "protobuf",
    options: { resource, metadataOnly: true },
  });
  expect(await itemsOf(metadataOnly.collection)).toEqual([]);
  expect(asked).toEqual(["application/json"]);
  expect(metadataOnly.answered).toEqual([protobuf]);
});

test("metadataOnly lists are decoded (PBL-10)", async () => {
  const { collection, answered } = collecting({
    encoding: "protobuf",
    options: { metadataOnly: true },
  });
  expect(await itemsOf(collection)).toMatchObject([
    { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "a" } },
  ]);
  expect(answered).toEqual([protobuf]);
});

test("a JSON response is read as JSON (PBL-9)", async () => {
  const json = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items: [{}] };
  const fetch = async (): Promise<Response> => Promise.resolve(Response.json(json));
  const { collection } = collecting({ encoding: "protobuf", fetch });
  expect(await itemsOf(collection)).toEqual([{ kind: "ConfigMap", apiVersion: "v1" }]);
});

test("selected fields are decoded from protobuf", async () => {
  const { answered, collection } = collecting({
    encoding: "protobuf",
    options: { fields: ["metadata.labels"] },
  });
  expect(await itemsOf(collection)).toEqual([
    {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace: "default",
        uid: expect.any(String) as string,
        resourceVersion: expect.any(String) as string,
      },
    },
  ]);
  expect(answered).toEqual([protobuf]);
});

test("a custom decoder excludes the option of the collection", () => {
  const { settings: _, ...decoder } = jsonDecoder();
  expect(() => collecting({ options: { decoder, encoding: "protobuf" } })).toThrow(
    /Cannot use the option encoding: expected none with this decoder/,
  );
  expect(() => collecting({ encoding: "protobuf", options: { decoder } })).not.toThrow();
  expect(() => collecting({ options: { encoding: "cbor" as never } })).toThrow(
    /expected one of json, protobuf/,
  );
});

test("a Status in protobuf is decoded (PBL-10)", async () => {
  const { answered, collection } = collecting({
    encoding: "protobuf",
    options: { labelSelector: "a in b" },
  });
  const refusal = await itemsOf(collection).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StatusError);
  expect(refusal).toMatchObject({ status: { reason: "BadRequest", code: 400 } });
  expect(answered).toEqual([protobuf]);
});

test("an error response that is not a Status is reported with its code", async () => {
  const headers = { "content-type": protobuf };
  const fetch = async (): Promise<Response> =>
    Promise.resolve(new Response("k8s", { status: 503, headers }));
  const { collection } = collecting({ encoding: "protobuf", fetch });
  await expect(itemsOf(collection)).rejects.toThrow(/the server answered 503/);
});

test("unknown fields are counted, reported once, and not written back (PBL-11)", async () => {
  const warnings: Warning[] = [];
  const objects = ["direct", "lazy"].map((name) => ({
    metadata: joined([
      delimited(1, name),
      delimited(3, "default"),
      delimited(5, `uid-${name}`),
      delimited(6, "5"),
    ]),
    // A lease has neither this field nor such a field in its spec.
    more: name === "direct" ? numeric(9, 1) : delimited(2, delimited(999, "new".repeat(20))),
  }));
  const items = objects.map(({ metadata, more }) => joined([delimited(1, metadata), more]));
  const body = list("coordination.k8s.io/v1/Lease", items);
  const headers = { "content-type": protobuf };
  const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
  const { collection, connection } = collecting({
    fetch: async ({ method }) =>
      Promise.resolve(
        method === "GET" ? new Response(body.slice(), { headers }) : Response.json({ method }),
      ),
    options: {
      encoding: "protobuf",
      resource: leases,
      onWarning: (warning) => warnings.push(warning),
    },
  });
  const [direct = {}, lazy = {}] = await itemsOf(collection);
  expect(countDroppedFields()).toEqual(new Map([["coordination.k8s.io/v1/Lease", 1]]));
  const client = createClient(connection).resource(leases);
  const copy = structuredClone({ ...direct });
  await expect(client.update(copy as never)).rejects.toThrow(DroppedFieldsError);
  await expect(client.update(lazy as never)).rejects.toThrow(
    /^Cannot update "default\/lazy": expected an object with all fields/,
  );
  // The same state as JSON, in the order of a server, has all fields.
  const { metadata, ...type } = copy as KubernetesObject;
  await expect(client.update({ ...type, metadata })).resolves.toEqual({ method: "PUT" });
  const status = client.subresource("status");
  await expect(status.update("default/direct", copy)).rejects.toThrow(DroppedFieldsError);
  const options = { allowDroppedFields: true };
  await expect(status.update("default/direct", copy, options)).resolves.toEqual({ method: "PUT" });
  await expect(client.update(copy as never, options)).resolves.toEqual({ method: "PUT" });
  expect(countDroppedFields()).toEqual(new Map([["coordination.k8s.io/v1/Lease", 2]]));
  expect(warnings).toMatchObject([
    {
      text: expect.stringMatching(
        /^objects of coordination.k8s.io\/v1\/Lease have fields that this/,
      ),
      path: "/apis/coordination.k8s.io/v1/leases",
    },
  ]);
});
