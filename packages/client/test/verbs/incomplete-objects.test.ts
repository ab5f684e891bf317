import {
  Collection,
  createClient,
  createConnection,
  DroppedFieldsError,
  type CollectionOptions,
} from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { widgetsCrd } from "../support/widgets-crd.ts";

interface Holder extends KubernetesObject {
  readonly metadata: { name: string; namespace: string; labels?: Record<string, string> };
  readonly data?: Record<string, string>;
  readonly spec?: { size: number };
}

const configMaps = { group: "", version: "v1", resource: "configmaps", namespaced: true } as const;
const widgets = {
  group: "example.com",
  version: "v1",
  resource: "widgets",
  namespaced: true,
} as const;
const { signal } = new AbortController();

function cluster() {
  const metadata = { namespace: "default", name: "a", labels: { app: "a" } };
  const api = new FakeApiServer({
    seed: 1,
    objects: [
      { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1", b: "2" } },
      widgetsCrd(),
      { apiVersion: "example.com/v1", kind: "Widget", metadata, spec: { size: 1 } },
    ],
  });
  const connection = createConnection({ server: "http://cluster", fetch: api.fetch });
  return { connection, client: createClient(connection) };
}

type Options = Partial<CollectionOptions<Holder>>;

const fields = ["metadata.labels", "data.a"];
const forms: readonly [string, Options][] = [
  ["some fields", { resource: configMaps, fields }],
  ["some fields from protobuf", { resource: configMaps, fields, encoding: "protobuf" }],
  ["all metadata", { resource: configMaps, fields: ["metadata"] }],
  [
    "all metadata from protobuf",
    { resource: configMaps, fields: ["metadata"], encoding: "protobuf" },
  ],
  ["some fields of a custom resource", { resource: widgets, fields: ["metadata.labels"] }],
  ["all metadata of a custom resource", { resource: widgets, fields: ["metadata"] }],
  ["metadata only", { resource: configMaps, metadataOnly: true }],
  ["fields of metadata", { resource: configMaps, metadataOnly: true, fields: ["metadata.labels"] }],
];

function collectionOf(options: Options) {
  const { connection, client } = cluster();
  const { resource = configMaps } = options;
  const collection = new Collection<Holder>({ connection, resource, ...options });
  return { collection, holders: client.in("default").resource<Holder>(resource) };
}

async function listed(collection: Collection<Holder>): Promise<Holder> {
  const { items } = await collection.list({}, { signal });
  for await (const batch of items) {
    const found = batch.find((item) => item.metadata.name === "a");
    if (found !== undefined) return found;
  }
  throw new Error("Expected an object, got none");
}

async function watched(collection: Collection<Holder>): Promise<Holder> {
  for await (const batch of await collection.watch({ resourceVersion: "0" }, { signal })) {
    for (const event of batch) {
      if (event.type === "ADDED" && event.object.metadata.name === "a") return event.object;
    }
  }
  throw new Error("Expected an event, got none");
}

describe.each(forms)("an update of an object that was read with %s is refused", (_, options) => {
  test("whether it comes from a list or a watch", async () => {
    const { collection, holders } = collectionOf(options);
    for (const object of [await listed(collection), await watched(collection)]) {
      await expect(holders.update(object)).rejects.toThrow(DroppedFieldsError);
      await expect(holders.updateStatus(object)).rejects.toThrow(DroppedFieldsError);
      await expect(holders.subresource("status").update("a", object)).rejects.toThrow(
        /^Cannot update "default\/a": expected an object with all fields/,
      );
    }
  });

  test("and so are its copies", async () => {
    const { collection, holders } = collectionOf(options);
    const object = await listed(collection);
    const labels = { app: "b" };
    const copies = [
      { ...object, data: { c: "3" } },
      { ...object, metadata: { ...object.metadata, labels } },
      Object.assign({}, object),
      structuredClone(object),
      JSON.parse(JSON.stringify(object)) as Holder,
    ];
    for (const copy of copies) {
      await expect(holders.update(copy)).rejects.toMatchObject({ code: "LW_DROPPED_FIELDS" });
    }
  });

  test("but not its patches, nor an update of the whole object in the same state", async () => {
    const { collection, holders } = collectionOf(options);
    const { metadata } = await listed(collection);
    const whole = await holders.get("a");
    expect(whole.metadata).toMatchObject({ name: metadata.name });
    await holders.update({ ...whole, metadata: { ...whole.metadata, labels: { app: "c" } } });
    await holders.patch("a", { metadata: { labels: { app: "b" } } });
    const { data, spec } = await holders.get("a");
    expect({ data, spec }).toEqual({ data: whole.data, spec: whole.spec });
  });
});

test("a whole object in that order is updated, unless its API group was read with some fields", async () => {
  const { client } = cluster();
  const resource = { ...configMaps, group: "batch", resource: "jobs" };
  const jobs = client.in("default").resource<Holder & { readonly spec: unknown }>(resource);
  const template = {
    spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] },
  };
  await jobs.create({ metadata: { namespace: "default", name: "a" }, spec: { template } } as never);
  const { metadata, spec } = await jobs.get("a");
  const labels = { app: "b" };
  const object = { metadata: { ...metadata, labels }, apiVersion: "batch/v1", kind: "Job", spec };
  await jobs.update(object);
  expect((await jobs.get("a")).metadata.labels).toMatchObject(labels);
});

test("an update that allows dropped fields removes what the object lacks", async () => {
  const { collection, holders } = collectionOf({ fields });
  const object = await listed(collection);
  await holders.update(object, { allowDroppedFields: true });
  expect(await holders.get("a")).toMatchObject({ data: { a: "1" } });
  expect((await holders.get("a")).data).toEqual({ a: "1" });
});

test("a member named __proto__ is sent as it is", async () => {
  const bodies: string[] = [];
  const connection = createConnection({
    server: "http://cluster",
    fetch: async (request) => {
      bodies.push(await request.text());
      return Response.json({});
    },
  });
  const text = '{"metadata":{"namespace":"default","name":"a"},"__proto__":{"a":1}}';
  const object = JSON.parse(text) as Holder;
  await createClient(connection).in("default").resource<Holder>(configMaps).update(object);
  expect(bodies).toEqual([`{"apiVersion":"v1",${text.slice(1)}`]);
});
