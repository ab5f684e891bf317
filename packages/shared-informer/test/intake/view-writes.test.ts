import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InformerView, type SharedInformer, type SharedInformerFactory } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { factoryOf } from "../support/factory.ts";
import { noted, notingClient, resumeWatches, stallWatches } from "../support/noting.ts";

type View = InformerView<ConfigMap>;

const key = "default/a";

let cluster: Cluster;
let factory: SharedInformerFactory;
let stop: AbortController;

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  factory = factoryOf(cluster);
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(1000);
});

/** Starts a view over informers, and stalls their watches. */
async function start(
  informers: readonly SharedInformer<ConfigMap>[],
  selection: { readonly labelSelector?: string } = {},
): Promise<View> {
  const view: View = new InformerView(informers, { clock: cluster.clock, ...selection });
  factory.start(stop.signal);
  void view.run(stop.signal);
  await cluster.clock.advance(100);
  expect(view.hasSynced).toBe(true);
  stallWatches(cluster);
  return view;
}

/** Starts a view over the informers of two namespaces. */
function startOverNamespaces(): Promise<View> {
  return start(["default", "quiet"].map((namespace) => factory.informer(noted, { namespace })));
}

describe("A note in a view of several informers", () => {
  test("ends when the informer that holds the object has caught up", async () => {
    await cluster.create(key);
    const view = await startOverNamespaces();
    const { client, notes } = notingClient(cluster, view);
    await client.resource(noted).patch(key, { data: { x: "1" } });
    expect(view.store.getByKey(key)?.data).toEqual({ x: "1" });
    expect(notes).toMatchObject([{ isOver: false }]);
    await resumeWatches(cluster);
    expect(notes).toMatchObject([{ isOver: true }]);

    await cluster.update(key, { data: { x: "2, by another client" } });
    await cluster.clock.advance(100);
    expect(view.store.getByKey(key)?.data).toEqual({ x: "2, by another client" });
    await cluster.delete(key);
    await cluster.clock.advance(100);
    expect(view.store.getByKey(key)).toBeUndefined();
  });

  test("of a create, and of a deletion, ends with the same informer", async () => {
    const view = await startOverNamespaces();
    const { client, notes } = notingClient(cluster, view);
    const maps = client.resource(noted);
    await maps.create({ metadata: { namespace: "default", name: "a" } });
    expect(view.store.has(key)).toBe(true);
    await resumeWatches(cluster);
    stallWatches(cluster);
    await maps.delete(key);
    expect(view.store.has(key)).toBe(false);
    expect(notes).toMatchObject([{ isOver: true }, { isOver: false }]);
    await resumeWatches(cluster);
    expect(notes).toMatchObject([{ isOver: true }, { isOver: true }]);
  });

  test("ends when the server has another history", async () => {
    await cluster.create(key);
    const snapshot = cluster.api.control.snapshot();
    for (let n = 0; n < 5; n++) await cluster.update(key, { data: { x: String(n) } });
    const view = await startOverNamespaces();
    const { client, notes } = notingClient(cluster, view);
    await client.resource(noted).patch(key, { data: { x: "of the former history" } });
    cluster.api.control.restore(snapshot, "rollback");
    await cluster.clock.advance(60_000);
    expect(notes).toMatchObject([{ isOver: true }]);
    expect(view.store.getByKey(key)?.data).toBeUndefined();
  });

  test("shows an object in the selector that a write has taken it into", async () => {
    await cluster.create(key, { labels: { app: "web" } });
    const selectors = ["app=web", "app=db"];
    const view = await start(
      selectors.map((labelSelector) => factory.informer(noted, { labelSelector })),
    );
    const { client, notes } = notingClient(cluster, view);
    await client.resource(noted).patch(key, { metadata: { labels: { app: "db" } } });
    expect(view.store.getByKey(key)?.metadata.labels).toEqual({ app: "db" });
    await resumeWatches(cluster);
    expect(notes).toMatchObject([{ isOver: true }]);
  });
});

describe("A note in a view with a selector", () => {
  test("is waited for if the view holds the object before or after the write", async () => {
    await cluster.create("default/in", { labels: { app: "web" } });
    await cluster.create("default/out");
    const view = await start([factory.informer(noted)], { labelSelector: "app=web" });
    const { client, notes } = notingClient(cluster, view);
    const maps = client.resource(noted);
    await maps.patch("default/in", { metadata: { labels: { app: null } } });
    await maps.patch("default/out", { metadata: { labels: { app: "web" } } });
    expect(view.store.has("default/in")).toBe(false);
    expect(view.store.has("default/out")).toBe(true);
    expect(notes).toMatchObject([{ isOver: false }, { isOver: false }]);
    await resumeWatches(cluster);
    expect(view.store.listKeys()).toEqual(["default/out"]);
    expect(notes).toMatchObject([{ isOver: true }, { isOver: true }]);
  });

  test("is not waited for if the view never holds the object", async () => {
    await cluster.create("default/out");
    const view = await start([factory.informer(noted)], { labelSelector: "app=web" });
    const { client, notes } = notingClient(cluster, view);
    const maps = client.resource(noted);
    await maps.patch("default/out", { data: { x: "1" } });
    await maps.delete("default/out");
    expect(notes).toEqual([undefined, undefined]);
    expect(view.store.has("default/out")).toBe(false);
  });
});

test("a note in a view does not end when answers arrive in another order", async () => {
  for (const name of ["a", "b", "c"]) await cluster.create(`default/${name}`);
  const view = await start([factory.informer(noted)]);
  const late = notingClient(cluster, { noteWrite: () => undefined });
  await late.client.resource(noted).patch("default/a", { data: { x: "1" } });
  await late.client.resource(noted).patch("default/b", { data: { x: "1" } });
  await resumeWatches(cluster);
  stallWatches(cluster);
  const { client, notes } = notingClient(cluster, view);
  await client.resource(noted).patch("default/c", { data: { x: "1" } });
  for (const write of late.writes.toReversed()) view.noteWrite(write);
  await cluster.clock.advance(100);
  expect(notes).toMatchObject([{ isOver: false }]);
  expect(view.store.getByKey("default/c")?.data).toEqual({ x: "1" });
});

test("a view that has ended shows its cache", async () => {
  await cluster.create(key);
  const informer = factory.informer(noted);
  const view = await start([informer]);
  await view[Symbol.asyncDispose]();
  const { client } = notingClient(cluster, informer);
  await client.resource(noted).patch(key, { data: { x: "1" } });
  expect(informer.store.getByKey(key)?.data).toEqual({ x: "1" });
  expect(view.store.getByKey(key)?.data).toBeUndefined();
});
