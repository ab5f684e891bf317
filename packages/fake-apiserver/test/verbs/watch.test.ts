import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json, type WatchEvent } from "../support/api-client.ts";
import { ManualClock, settle } from "../support/manual-clock.ts";

interface Setup {
  readonly clock: ManualClock;
  readonly server: FakeApiServer;
  readonly client: ApiClient;
}

function setUp(options: FakeApiServerOptions = {}): Setup {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed: 1, ...options });
  return { clock, server, client: new ApiClient(server) };
}

const initialEnd = { "k8s.io/initial-events-end": "true" };

describe("the start of a watch", () => {
  test.each(["", "resourceVersion=0&"])(
    "without a version (%j) delivers all objects, by key",
    async (start) => {
      const { client } = setUp();
      for (const name of ["b", "a"]) await client.createConfigMap(name);
      const watch = await client.watch(`${configMaps}?${start}watch=1`);
      expect(await watch.take(2)).toEqual(["ADDED a", "ADDED b"]);
      await client.createConfigMap("c");
      expect(await watch.take(1)).toEqual(["ADDED c"]);
    },
  );

  test("announces the end of the initial events to all watches that allow bookmarks (API-0.4)", async () => {
    const { client, server } = setUp();
    await client.createConfigMap("a");
    const watch = await client.watch(`${configMaps}?watch=1&allowWatchBookmarks=true`);
    await watch.next();
    expect(await watch.next()).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { resourceVersion: String(server.control.revision), annotations: initialEnd },
      },
    });
  });

  test.each([0, 2])(
    "that streams a list of %i ends it with a bookmark (API-0.5)",
    async (count) => {
      const { client, server } = setUp();
      for (let index = 0; index < count; index++) await client.createConfigMap(`c${index}`);
      // The request of client-go: tools/cache/reflector.go, `watchList`.
      const start = "resourceVersion=&resourceVersionMatch=NotOlderThan&sendInitialEvents=true";
      const query = `allowWatchBookmarks=true&${start}&timeoutSeconds=300&watch=true`;
      const watch = await client.watch(`${configMaps}?${query}`);
      const added = Array.from({ length: count }, (_none, index) => `ADDED c${index}`);
      expect(await watch.take(count)).toEqual(added);
      expect(await watch.next()).toMatchObject({
        type: "BOOKMARK",
        object: {
          metadata: { resourceVersion: String(server.control.revision), annotations: initialEnd },
        },
      });
      await client.createConfigMap("later");
      expect(await watch.take(1)).toEqual(["ADDED later"]);
    },
  );

  test("reports a missing parameter once, even with a token (API-1.10)", async () => {
    const { client } = setUp();
    const { body, status } = await client.get(
      `${configMaps}?watch=1&sendInitialEvents=true&continue=x`,
    );
    expect(status).toBe(422);
    expect(body["details"]["causes"]).toEqual([
      {
        reason: "FieldValueForbidden",
        message:
          "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
        field: "resourceVersionMatch",
      },
    ]);
  });

  test("at a version delivers exactly the later events", async () => {
    const { client, server } = setUp();
    await client.createConfigMap("a");
    const version = server.control.revision;
    await client.createConfigMap("b");
    await client.updateConfigMap("a", { x: "1" });
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=${version}`);
    expect(await watch.take(2)).toEqual(["ADDED b", "MODIFIED a"]);
  });

  test("at a future version is silent until that is reached (API-0.10)", async () => {
    const { client, server } = setUp();
    const future = server.control.revision + 2;
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=${future}`);
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    expect(await watch.take(1)).toEqual(["ADDED c"]);
  });

  test("before the history sends an ERROR event and ends (API-0.9)", async () => {
    const { client, server } = setUp();
    await client.createConfigMap("a");
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=1`);
    expect(watch.response.status).toBe(200);
    const event = await watch.next();
    expect(event?.object).toMatchObject({ code: 410, reason: "Expired" });
    expect(event?.object["message"]).toMatch(/^too old resource version: 1 \(\d+\)$/);
    expect(await watch.next()).toBeUndefined();
    expect(server.control.watches.list()).toEqual([]);
  });

  test("with initial events from a future version sends 504 in-band after 3 s (API-0.10)", async () => {
    const { client, clock, server } = setUp();
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    const future = server.control.revision + 5;
    const opening = client.watch(`${configMaps}?${query}&resourceVersion=${future}`);
    await clock.advance(3000);
    const event = await (await opening).next();
    expect(event).toMatchObject({ type: "ERROR", object: { code: 504, reason: "Timeout" } });
  });

  test.each(["POST", "DELETE"])("rejects a %s (API-1.2)", async (method) => {
    const { client } = setUp();
    await client.createConfigMap("a");
    const path = "/api/v1/watch/namespaces/default/configmaps";
    const body = method === "POST" ? { metadata: { name: "b" } } : undefined;
    expect((await client.call(method, path, body)).status).toBe(405);
    expect((await client.get(configMaps)).body["items"]).toHaveLength(1);
  });

  test("of one object by its own path delivers only that object", async () => {
    const { client } = setUp();
    for (const name of ["a", "b"]) await client.createConfigMap(name);
    const watch = await client.watch("/api/v1/watch/namespaces/default/configmaps/b");
    await client.updateConfigMap("a", { x: "1" });
    await client.updateConfigMap("b", { x: "1" });
    expect(await watch.take(2)).toEqual(["ADDED b", "MODIFIED b"]);
  });

  test.each(["true", "1", ""])("is not a get with watch=%s (API-1.7)", async (value) => {
    const { client } = setUp();
    await client.createConfigMap("a");
    const { body, status } = await client.get(`${configMaps}/a?watch=${value}&resourceVersion=1`);
    expect([status, body["kind"]]).toEqual([200, "ConfigMap"]);
    const missing = await client.get(`${configMaps}/none?watch=${value}`);
    expect(missing.status).toBe(404);
  });
});

describe("the events of a watch", () => {
  test("end with the last stored state at the version of the deletion (API-0.6)", async () => {
    const { client } = setUp();
    await client.createConfigMap("a");
    const finalizers = ["example.com/hold"];
    await client.call("PATCH", `${configMaps}/a`, { metadata: { finalizers } });
    await client.call("DELETE", `${configMaps}/a`);
    const watch = await client.watch(`${configMaps}?watch=1`);
    await watch.take(1);
    const change = { metadata: { finalizers: null }, data: { never: "stored" } };
    await client.call("PATCH", `${configMaps}/a`, change);
    const event = await watch.next();
    expect(event).toMatchObject({ type: "DELETED", object: { metadata: { finalizers } } });
    expect(event?.object).not.toHaveProperty("data");
    const { body } = await client.get(configMaps);
    expect(event?.object["metadata"]["resourceVersion"]).toBe(body["metadata"]["resourceVersion"]);
  });

  test.each([
    ["labelSelector=app%3Dweb", (app: string) => ({ metadata: { labels: { app } } })],
    ["fieldSelector=type%3Dweb", (type: string) => ({ type })],
  ])(
    "are DELETED with the previous state when an object leaves %s, and ADDED when it enters (API-0.7)",
    async (selector, fields) => {
      const { client } = setUp();
      const write = async (value: string, note: string): Promise<Json> => {
        const { metadata = {}, ...rest } = fields(value) as Json;
        const annotations = { note };
        const all = { ...rest, metadata: { ...metadata, name: "a", annotations } };
        const path = "/api/v1/namespaces/default/events";
        const sent = { ...all, involvedObject: { namespace: "default" } };
        const { body, status } = await client.call("PUT", `${path}/a`, sent);
        expect(status).toBeLessThan(300);
        return body;
      };
      const watch = await client.watch(`/api/v1/namespaces/default/events?watch=1&${selector}`);
      await write("other", "outside");
      const entered = await write("web", "entered");
      const stayed = await write("web", "stayed");
      const left = await write("other", "left");
      await write("other", "outside again");
      const again = await write("web", "again");
      const version = left["metadata"]["resourceVersion"] as string;
      const last = { ...stayed, metadata: { ...stayed["metadata"], resourceVersion: version } };
      const seen = [await watch.next(), await watch.next(), await watch.next(), await watch.next()];
      expect(seen).toEqual([
        { type: "ADDED", object: entered },
        { type: "MODIFIED", object: stayed },
        { type: "DELETED", object: last },
        { type: "ADDED", object: again },
      ]);
    },
  );

  test("are not sent for writes without a change (API-0.8)", async () => {
    const { client, server } = setUp();
    await client.createConfigMap("a", { x: "1" });
    const version = server.control.revision;
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=${version}`);
    await client.updateConfigMap("a", { x: "1" });
    await client.call("PATCH", `${configMaps}/a?dryRun=All`, { data: { x: "2" } });
    await client.call("DELETE", `${configMaps}/a?dryRun=All`);
    expect(server.control.revision).toBe(version);
    await client.updateConfigMap("a", { x: "3" });
    expect(await watch.take(1)).toEqual(["MODIFIED a"]);
  });

  test("lead from the initial state to the final one, for any writes and any selector", async () => {
    const write = fc.tuple(
      fc.nat(5),
      fc.constantFrom("create", "delete", "on", "off"),
      fc.constantFrom("default", "other"),
    );
    const selector = fc.constantFrom("", "labelSelector=app=on", "fieldSelector=metadata.name=c2");
    const scope = fc.constantFrom(configMaps, "/api/v1/configmaps");
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 30 }),
        fc.nat(30),
        selector,
        scope,
        async (writes, before, query, path) => {
          const { client } = setUp({ namespaces: "permissive" });
          const first = writes.slice(0, before);
          for (const step of first) await apply(client, step);
          const list = await client.get(`${path}?${query}`);
          const state = new Map<string, Json>();
          for (const item of list.body["items"] as readonly Json[]) {
            state.set(keyOf(item), typed(item));
          }
          const version = String(list.body["metadata"]["resourceVersion"]);
          const watch = await client.watch(`${path}?${query}&watch=1&resourceVersion=${version}`);
          for (const step of writes.slice(before)) await apply(client, step);
          const final = await client.get(`${path}?${query}`);
          // A last object shows that no further event will come.
          await client.createConfigMap("c2", {});
          await client.call("DELETE", `${configMaps}/c2`);
          await client.call("POST", configMaps, {
            metadata: { name: "c2", labels: { app: "on", last: "yes" } },
          });
          let newest = Number(version);
          for (;;) {
            const event = await watch.next();
            if (event === undefined || event.object["metadata"]["labels"]?.["last"] === "yes")
              break;
            const revision = Number(event.object["metadata"]["resourceVersion"]);
            expect(revision).toBeGreaterThan(newest);
            newest = revision;
            if (revision <= Number(final.body["metadata"]["resourceVersion"]))
              applyEvent(state, event);
          }
          const expected = (final.body["items"] as readonly Json[]).map(typed);
          expect([...state].toSorted(byKey).map(([, object]) => object)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});

async function apply(
  client: ApiClient,
  [number, action, namespace]: readonly [number, string, string],
): Promise<void> {
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const path = `${collection}/c${number}`;
  if (action === "create") {
    await client.call("POST", collection, { metadata: { name: `c${number}` } });
  } else if (action === "delete") await client.call("DELETE", path);
  else await client.call("PATCH", path, { metadata: { labels: { app: action } } });
}

// Every event must match the state that it is applied to.
function applyEvent(state: Map<string, Json>, { object, type }: WatchEvent): void {
  const key = keyOf(object);
  expect(state.has(key)).toBe(type !== "ADDED");
  if (type === "DELETED") state.delete(key);
  else state.set(key, object);
}

// Events have a type; items of a list lack it.
function typed(item: Json): Json {
  return { kind: "ConfigMap", apiVersion: "v1", ...item };
}

function keyOf({ metadata }: Json): string {
  return `${String(metadata["namespace"])}/${String(metadata["name"])}`;
}

function byKey([left]: readonly [string, Json], [right]: readonly [string, Json]): number {
  return left < right ? -1 : 1;
}

describe("bookmarks", () => {
  test("are sent every 60 s, once the server is beyond the start of the watch (API-0.12)", async () => {
    const { client, clock, server } = setUp();
    const version = server.control.revision;
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=300`;
    const watch = await client.watch(`${configMaps}?${query}`);
    await clock.advance(60_000);
    // A write to another resource also moves the revision.
    await client.call("POST", "/api/v1/nodes", { metadata: { name: "n" } });
    await clock.advance(60_000);
    const bookmark = await watch.next();
    expect(bookmark).toMatchObject({
      type: "BOOKMARK",
      object: { metadata: { resourceVersion: String(version + 1) } },
    });
  });

  test("are sent twice in the last 2 s, and only on request (API-0.12)", async () => {
    const { client, clock, server } = setUp();
    const query = `watch=1&resourceVersion=${server.control.revision}&timeoutSeconds=10`;
    const asked = await client.watch(`${configMaps}?${query}&allowWatchBookmarks=true`);
    const unasked = await client.watch(`${configMaps}?${query}`);
    await client.createConfigMap("a");
    await clock.advance(10_000);
    expect(await asked.rest()).toEqual(["ADDED a", "BOOKMARK", "BOOKMARK"]);
    expect(await unasked.rest()).toEqual(["ADDED a"]);
  });
});

describe("the end of a watch", () => {
  test("is clean after timeoutSeconds, or after 30 to 60 minutes", async () => {
    const { client, clock, server } = setUp();
    const short = await client.watch(`${configMaps}?watch=1&timeoutSeconds=5`);
    const long = await client.watch(`${configMaps}?watch=1`);
    await clock.advance(5000);
    expect(await short.rest()).toEqual([]);
    await clock.advance(30 * 60_000 - 5000);
    expect(server.control.watches.list()).toHaveLength(1);
    await clock.advance(30 * 60_000);
    expect(await long.rest()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("is clean for a reader that is too slow, and memory stays bounded", async () => {
    const { client, server } = setUp({ watch: { bufferEvents: 5 } });
    const watch = await client.watch(`${configMaps}?watch=1`);
    for (let index = 0; index < 6; index++) await client.createConfigMap(`c${index}`);
    expect(await watch.rest()).toEqual([]);
    expect(server.control.watches.list()).toEqual([]);
    const { body } = await client.get(configMaps);
    const version = String(body["metadata"]["resourceVersion"]);
    const again = await client.watch(`${configMaps}?watch=1&resourceVersion=${version}`);
    await client.createConfigMap("later");
    expect(await again.take(1)).toEqual(["ADDED later"]);
  });

  test("is clean for a reader with too many buffered bytes", async () => {
    const { client, server } = setUp({ watch: { bufferBytes: 10_000 } });
    const watch = await client.watch(`${configMaps}?watch=1`);
    const data = { text: "x".repeat(6000) };
    for (let index = 0; index < 6; index++) await client.createConfigMap(`c${index}`, data);
    expect(server.control.watches.list()).toEqual([]);
    expect((await watch.rest()).length).toBeLessThan(3);
  });

  test("does not occur for a reader that merely starts with a long history", async () => {
    const { client, server } = setUp({ watch: { bufferEvents: 5 } });
    const version = server.control.revision;
    for (let index = 0; index < 9; index++) await client.createConfigMap(`c${index}`);
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=${version}`);
    await client.createConfigMap("c9");
    expect(await watch.take(10)).toHaveLength(10);
  });

  test("releases everything when the client disconnects", async () => {
    const { client, clock, server } = setUp();
    const watch = await client.watch(`${configMaps}?watch=1&allowWatchBookmarks=true`);
    await watch.cancel();
    const abort = new AbortController();
    const aborted = await client.watch(`${configMaps}?watch=1`, { signal: abort.signal });
    const reading = aborted.next().catch(() => undefined);
    abort.abort();
    expect(await reading).toBeUndefined();
    await settle();
    expect(server.control.watches.list()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
