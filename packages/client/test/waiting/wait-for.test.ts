import {
  createClient,
  createConnection,
  ensureDefinition,
  hasCondition,
  isDeleted,
  isNotFound,
  isReady,
  waitFor,
  WaitError,
} from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

function setUp() {
  const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
  const api = new FakeApiServer({ clock, seed: 1 });
  let isAway = false;
  const connection = createConnection({
    server: "http://fake",
    fetch: async (request) => {
      if (isAway) throw new TypeError("fetch failed: ECONNREFUSED");
      return api.fetch(request);
    },
  });
  const client = createClient(connection, { clock, fieldManager: "test", retries: 0 });
  const setAway = (value: boolean): void => {
    isAway = value;
    if (value) api.control.watches.reset();
  };
  return { api, client, clock, maps: client.resource<ConfigMap>(configMaps), setAway };
}

const metadata = { namespace: "default", name: "a" };
const hasX = (object: ConfigMap | undefined): boolean => object?.data?.["x"] === "1";

describe("waitFor", () => {
  test("resolves at once when the condition holds", async () => {
    const { clock, maps } = setUp();
    await maps.create({ metadata, data: { x: "1" } });
    expect((await waitFor(maps, "default/a", hasX, { clock }))?.data).toEqual({ x: "1" });
  });

  test("uses the clock of the client", async () => {
    const { clock, maps } = setUp();
    const waiting = failureOf(waitFor(maps, "default/a", hasX, { timeoutMs: 60_000 }));
    await clock.advance(60_000);
    expect(String(await waiting)).toContain("not within 60 s");
  });

  test("resolves with the change, whether the object is created or changed", async () => {
    const { clock, maps } = setUp();
    const waiting = waitFor(maps, "default/a", hasX, { clock });
    await clock.advance(1000);
    await maps.create({ metadata });
    await clock.advance(1000);
    await maps.patch("default/a", { data: { x: "1" } });
    expect((await waiting)?.data).toEqual({ x: "1" });
  });

  test("survives network failures, expired versions and ends of watches", async () => {
    const { api, clock, maps, setAway } = setUp();
    await maps.create({ metadata });
    const waiting = waitFor(maps, "default/a", hasX, { clock });
    await clock.advance(1000);
    setAway(true);
    await clock.advance(60_000);
    setAway(false);
    await clock.advance(60_000);
    api.control.watches.end();
    api.control.compact();
    await clock.advance(60_000);
    await maps.patch("default/a", { data: { x: "1" } });
    expect((await waiting)?.data).toEqual({ x: "1" });
  });

  test("detects a missed deletion by the uid", async () => {
    const { clock, maps, setAway } = setUp();
    await maps.create({ metadata });
    const waiting = waitFor(maps, "default/a", isDeleted, { clock });
    await clock.advance(1000);
    setAway(true);
    await clock.advance(1);
    setAway(false);
    await maps.delete("default/a");
    await maps.create({ metadata });
    await clock.advance(60_000);
    expect(await waiting).toBeUndefined();
  });

  test("rejects after the time limit with the last seen state", async () => {
    const { api, clock } = setUp();
    const connection = createConnection({ server: "http://fake", fetch: api.fetch });
    const nodes = createClient(connection, { clock }).resource({
      group: "",
      version: "v1",
      resource: "nodes",
      scope: "Cluster",
    });
    await nodes.create({ metadata: { name: "n" } });
    const conditions = [{ type: "Ready", status: "False", reason: "KubeletNotReady" }];
    await nodes.patchStatus("n", { status: { conditions } });
    const waiting = failureOf(waitFor(nodes, "n", isReady, { clock, timeoutMs: 30_000 }));
    await clock.advance(31_000);
    const failure = await waiting;
    expect(failure).toBeInstanceOf(WaitError);
    expect(String(failure)).toMatch(
      /n is not ready: not within 30 s; last seen: resourceVersion \d+, Ready=False \(KubeletNotReady\)/,
    );
    expect(failure).toMatchObject({ lastSeen: { metadata: { name: "n" } } });
  });

  test("rejects on abort with the reason, and that the object never existed", async () => {
    const { clock, maps } = setUp();
    const stop = new AbortController();
    const waiting = failureOf(waitFor(maps, "default/a", hasX, { clock, signal: stop.signal }));
    await clock.advance(1000);
    stop.abort(new Error("shutting down"));
    await clock.advance(1);
    expect(String(await waiting)).toContain(
      "default/a is not as the condition wants it: shutting down; last seen: it does not exist",
    );
  });

  test("rejects an asynchronous condition, whose promise would always be true", async () => {
    const { clock, maps } = setUp();
    await maps.create({ metadata });
    const later = (async () => false) as never;
    expect(await failureOf(waitFor(maps, "default/a", later, { clock }))).toEqual(
      new TypeError("expected true or false, got a promise: the function must not be asynchronous"),
    );
  });

  test.each([NaN, -1, "5"])("rejects the time limit %j", async (timeoutMs) => {
    const { clock, maps } = setUp();
    const options = { clock, timeoutMs: timeoutMs as number };
    const failure = await failureOf(waitFor(maps, "default/a", hasX, options));
    expect(failure).toMatchObject({ code: "LW_INVALID_OPTIONS", option: "timeoutMs" });
  });

  test("rejects when the server refuses permanently", async () => {
    const { client, clock } = setUp();
    const widgets = { group: "example.com", version: "v1", resource: "widgets" };
    const waiting = waitFor(client.resource(widgets), "default/a", isReady, { clock });
    expect(isNotFound(await failureOf(waiting))).toBe(true);
  });
});

describe("conditions", () => {
  const withCondition = (condition: object, rest: object = {}) => ({
    metadata: { name: "a", generation: 2 },
    status: { conditions: [condition], ...rest },
  });

  test("count only for the current generation", () => {
    const available = { type: "Available", status: "True" };
    const isAvailable = hasCondition("Available");
    expect(isAvailable(withCondition(available))).toBe(true);
    expect(isAvailable(withCondition(available, { observedGeneration: 1 }))).toBe(false);
    expect(isAvailable(withCondition(available, { observedGeneration: 2 }))).toBe(true);
    expect(isAvailable(withCondition({ ...available, observedGeneration: 1 }))).toBe(false);
  });

  test("can be required with a status, and accept malformed objects", () => {
    expect(hasCondition("Ready", "False")(withCondition({ type: "Ready", status: "False" }))).toBe(
      true,
    );
    for (const object of [undefined, {}, { status: 1 }, { status: { conditions: [null, 1] } }]) {
      expect(isReady(object)).toBe(false);
    }
    expect([isDeleted(undefined), isDeleted({})]).toEqual([true, false]);
  });
});

test("a definition is applied, established, and not written again when it is unchanged", async () => {
  const { client, clock } = setUp();
  const names = { singular: "widget", listKind: "WidgetList" };
  const definition = widgetsCrd({ type: "object" }, {}, names);
  expect(await client.discovery.forResource("widgets")).toBeUndefined();
  await ensureDefinition(client, definition, { clock });
  // (CLI-13) Immediately, not after 10 s.
  expect(await client.discovery.forResource("widgets")).toMatchObject({ kind: "Widget" });
  const widgets = client.resource({
    group: "example.com",
    version: "v1",
    resource: "widgets",
    kind: "Widget",
  });
  await widgets.create({ metadata });
  const definitions = client.resource({
    group: "apiextensions.k8s.io",
    version: "v1",
    resource: "customresourcedefinitions",
  });
  const before = await definitions.get("widgets.example.com");
  await ensureDefinition(client, definition, { clock });
  const after = await definitions.get("widgets.example.com");
  expect(after.metadata?.resourceVersion).toBe(before.metadata?.resourceVersion);
});
