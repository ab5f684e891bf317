import {
  createClient,
  createConnection,
  defineResource,
  isConflict,
  isNotFound,
  type Client,
  type StatusError,
  type Warning,
} from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

interface ConfigMap extends KubernetesObject {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}
interface Deployment extends KubernetesObject {
  readonly spec: { readonly replicas?: number };
}
interface Scale extends KubernetesObject {
  readonly spec: { readonly replicas: number };
}

const configMaps = defineResource<ConfigMap>({
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  scope: "Namespaced",
});
const deployments = defineResource<Deployment, "Namespaced", { scale: Scale }>({
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  scope: "Namespaced",
});
const pods = { group: "", version: "v1", resource: "pods" };

function clientOf(
  options: { api?: FakeApiServer; client?: Parameters<typeof createClient>[1] } = {},
): {
  readonly api: FakeApiServer;
  readonly client: Client;
} {
  const { api = new FakeApiServer() } = options;
  const connection = createConnection({ server: "http://fake", fetch: api.fetch });
  return { api, client: createClient(connection, { fieldManager: "test", ...options.client }) };
}

function configMap(name: string, labels: Readonly<Record<string, string>> = {}) {
  return { metadata: { namespace: "default", name, labels } };
}

const deployment = {
  metadata: { namespace: "default", name: "web" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
  },
};

async function namesOf(items: AsyncIterable<KubernetesObject>): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = [];
  for await (const { metadata } of items) names.push(metadata?.name);
  return names;
}

describe("a list", () => {
  test("is read in pages to its end, with its version and its types (CLI-5)", async () => {
    const { client } = clientOf();
    const maps = client.resource(configMaps);
    for (const name of ["a", "b", "c", "d", "e"]) await maps.create(configMap(name));
    const { items, resourceVersion } = await maps.list({ namespace: "default", pageSize: 2 });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c", "d", "e"]);
    expect(items[0]).toMatchObject({ kind: "ConfigMap", apiVersion: "v1" });
    expect(resourceVersion).toMatch(/^\d+$/);
    expect(await namesOf(maps.items({ namespace: "default", pageSize: 2 }))).toHaveLength(5);
  });

  test("accepts selectors (CLI-5)", async () => {
    const { client } = clientOf();
    const maps = client.resource(configMaps);
    await maps.create(configMap("a", { app: "x" }));
    await maps.create(configMap("b"));
    const { items } = await maps.list({ namespace: "default", labelSelector: "app=x" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    const named = await maps.list({ namespace: "default", fieldSelector: "metadata.name=b" });
    expect(named.items).toHaveLength(1);
  });

  test("whose pages expire is requested again without pages; streamed items fail (CLI-5)", async () => {
    const { api, client } = clientOf();
    const maps = client.resource(configMaps);
    for (const name of ["a", "b", "c"]) await maps.create(configMap(name));
    const names: string[] = [];
    const failure = await failureOf(
      (async () => {
        for await (const { metadata } of maps.items({ namespace: "default", pageSize: 1 })) {
          names.push(metadata.name);
          await maps.patch("default/a", { data: { x: String(names.length) } });
          api.control.compact();
        }
      })(),
    );
    expect(names).toEqual(["a"]);
    expect(isExpired(failure)).toBe(true);

    const restarts: boolean[] = [];
    const seen: string[] = [];
    const onRestart = (error: unknown): void => {
      restarts.push(isExpired(error));
      seen.length = 0;
    };
    for await (const { metadata } of maps.items({ namespace: "default", pageSize: 2, onRestart })) {
      seen.push(metadata.name);
      await maps.patch("default/a", { data: { x: `again ${seen.length}` } });
      api.control.compact();
    }
    expect(restarts).toEqual([true]);
    expect(seen).toEqual(["a", "b", "c"]);

    let pages = 0;
    const counting = createConnection({
      server: "http://fake",
      fetch: async (request) => {
        pages++;
        const response = await api.fetch(request);
        await maps.patch("default/a", { data: { pages: String(pages) } });
        api.control.compact();
        return response;
      },
    });
    const { items } = await createClient(counting)
      .resource(configMaps)
      .list({ namespace: "default", pageSize: 1 });
    expect([items.length, pages]).toEqual([3, 3]);
  });

  test("is repeated after a failure of the server (CLI-2)", async () => {
    let requests = 0;
    const clock = new SimulatedClock();
    const { connection } = answering(() =>
      ++requests < 3
        ? new Response("", { status: 502 })
        : Response.json({ kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items: [] }),
    );
    const list = createClient(connection, { clock }).resource(configMaps).list();
    await clock.advance(10_000);
    expect((await list).items).toEqual([]);
    expect(requests).toBe(3);
  });

  test("that never ends, since its tokens repeat, fails (CLI-5)", async () => {
    const { connection } = answering(() =>
      Response.json({ kind: "ConfigMapList", metadata: { continue: "again" }, items: [] }),
    );
    const list = createClient(connection).resource(configMaps).list();
    expect(await failureOf(list)).toMatchObject({ code: "LW_NOT_A_LIST" });
  });
});

test("a watch yields events until the server ends it (CLI-5)", async () => {
  const { api, client } = clientOf();
  const maps = client.resource(configMaps);
  await maps.create(configMap("a"));
  const { resourceVersion } = await maps.list({ namespace: "default" });
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { type } of maps.watch({ namespace: "default", resourceVersion })) {
      seen.push(type);
      if (type === "DELETED") api.control.watches.end();
    }
  })();
  await maps.patch("default/a", { data: { x: "1" } });
  await maps.delete("default/a");
  await watching;
  expect(seen).toEqual(["MODIFIED", "DELETED"]);
});

describe("apply", () => {
  test("creates, changes, and removes members that are no longer applied (CLI-7)", async () => {
    const { client } = clientOf();
    const maps = client.resource(configMaps);
    const metadata = { namespace: "default", name: "a" };
    await maps.apply({ metadata, data: { x: "1", y: "2" } });
    const applied = await maps.apply({ metadata, data: { x: "3" } });
    expect(applied.data).toEqual({ x: "3" });
  });

  test("accepts a cached object: its managed fields are omitted (CLI-7)", async () => {
    const { client } = clientOf();
    const maps = client.resource(configMaps);
    await maps.apply({ metadata: { namespace: "default", name: "a" }, data: { x: "1" } });
    const { resourceVersion: _, ...metadata } = (await maps.get("default/a")).metadata as {
      resourceVersion: string;
      namespace: string;
      name: string;
    };
    expect(metadata).toHaveProperty("managedFields");
    expect((await maps.apply({ metadata, data: { x: "2" } })).data).toEqual({ x: "2" });
  });

  test("names manager and field of a conflict, and takes over when forced (CLI-7)", async () => {
    const { client } = clientOf();
    const maps = client.resource(configMaps);
    const metadata = { namespace: "default", name: "a" };
    await maps.apply({ metadata, data: { x: "1" } }, { fieldManager: "first" });
    const other = { metadata, data: { x: "2" } };
    const conflict = (await failureOf(maps.apply(other))) as StatusError;
    expect(isConflict(conflict)).toBe(true);
    expect(conflict.causes[0]?.message).toContain('"first"');
    expect(conflict.causes[0]?.field).toBe(".data.x");
    expect((await maps.apply(other, { force: true })).data).toEqual({ x: "2" });
  });

  test("without a manager is rejected before anything is sent (CLI-7)", async () => {
    const { client } = clientOf({ client: { fieldManager: undefined } });
    const applied = client.resource(configMaps).apply({ metadata: { namespace: "a", name: "b" } });
    expect(String(await failureOf(applied))).toContain("fieldManager");
  });
});

describe("options of writes", () => {
  test("a dry run stores nothing, whether client or call requests it (CLI-6)", async () => {
    const { api, client } = clientOf();
    const dry = clientOf({ api, client: { dryRun: true } }).client.resource(configMaps);
    const maps = client.resource(configMaps);
    await maps.create(configMap("a"), { dryRun: true });
    await dry.create(configMap("a"));
    expect(isNotFound(await failureOf(maps.get("default/a")))).toBe(true);
    await dry.create(configMap("a"), { dryRun: false });
    await dry.delete("default/a");
    expect((await maps.get("default/a")).metadata.name).toBe("a");
  });

  test("unknown fields are rejected, unless client or call allow them (CLI-6)", async () => {
    const warnings: Warning[] = [];
    const { client } = clientOf({ client: { onWarning: (warning) => warnings.push(warning) } });
    const maps = client.resource({
      group: "",
      version: "v1",
      resource: "configmaps",
      kind: "ConfigMap",
    });
    const wrong = { ...configMap("a"), dta: { x: "1" } };
    expect(String(await failureOf(maps.create(wrong)))).toContain('unknown field "dta"');
    await maps.create(wrong, { fieldValidation: "Warn" });
    expect(warnings).toEqual([
      {
        text: 'unknown field "dta"',
        method: "POST",
        path: "/api/v1/namespaces/default/configmaps",
      },
    ]);
    await maps.create({ ...wrong, ...configMap("b") }, { fieldValidation: "Ignore" });
    expect(warnings).toHaveLength(1);
  });

  test("the call's manager takes precedence over the client's (CLI-6)", async () => {
    const { client } = clientOf();
    const created = await client
      .resource(configMaps)
      .create({ ...configMap("a"), data: { x: "1" } }, { fieldManager: "other" });
    expect(JSON.stringify(created)).toContain('"manager":"other"');
  });
});

describe("deletion", () => {
  test("returns a Status, or the object that waits for finalizers (CLI-9)", async () => {
    const { client } = clientOf();
    const maps = client.resource(configMaps);
    await maps.create(configMap("a"));
    expect(await maps.delete("default/a")).toMatchObject({ kind: "Status", status: "Success" });
    const waiting = { ...configMap("b").metadata, finalizers: ["example.com/wait"] };
    await maps.create({ metadata: waiting });
    expect(await maps.delete("default/b")).toMatchObject({ kind: "ConfigMap" });
  });

  test("of many requires a selector or all: true, and refuses a shard (CLI-9, SHS-4)", async () => {
    const { client } = clientOf();
    const maps = client.resource(configMaps);
    await maps.create(configMap("a", { app: "x" }));
    await maps.create(configMap("b"));
    await maps.create(configMap("c"));
    expect(String(await failureOf(maps.deleteCollection({ namespace: "default" })))) //
      .toContain("labelSelector");
    const shardSelector = "shardRange(object.metadata.uid, '0x0', '0x1')";
    const shard = { namespace: "default", all: true, shardSelector };
    expect(String(await failureOf(maps.deleteCollection(shard)))).toContain("shardSelector");
    expect((await maps.list()).items).toHaveLength(3);
    await maps.deleteCollection({ namespace: "default", labelSelector: "app=x" });
    expect((await maps.list({ namespace: "default" })).items).toHaveLength(2);
    await maps.deleteCollection({ namespace: "default", all: true });
    expect((await maps.list({ namespace: "default" })).items).toHaveLength(0);
  });
});

describe("subresources", () => {
  test("are typed by the handle, and read, patched and replaced (CLI-6)", async () => {
    const { client } = clientOf();
    const web = client.resource(deployments);
    await web.create(deployment);
    const scales = web.subresource("scale");
    const scale = await scales.get("default/web");
    expect(scale.spec.replicas).toBe(1);
    await scales.update("default/web", { ...scale, spec: { replicas: 2 } });
    await scales.patch("default/web", { spec: { replicas: 3 } });
    expect((await web.get("default/web")).spec.replicas).toBe(3);
    await web.scale("default/web", 5);
    expect((await web.get("default/web")).spec.replicas).toBe(5);
  });
});

describe("eviction", () => {
  const refusal = { kind: "Status", code: 429, reason: "TooManyRequests" };

  test("is retried while a disruption budget refuses it (CLI-10)", async () => {
    const clock = new SimulatedClock();
    let attempts = 0;
    const { connection, requests } = answering(() =>
      ++attempts < 4
        ? Response.json(refusal, { status: 429 })
        : Response.json({ kind: "Status", status: "Success" }, { status: 201 }),
    );
    const evicted = createClient(connection, { clock }).resource(pods).evict("a/b");
    await clock.advance(14_999);
    expect(attempts).toBe(3);
    await clock.advance(2);
    await evicted;
    expect(new URL(requests[0]?.url ?? "").pathname).toBe("/api/v1/namespaces/a/pods/b/eviction");
    expect(await requests[0]?.json()).toMatchObject({
      kind: "Eviction",
      apiVersion: "policy/v1",
      metadata: { name: "b", namespace: "a" },
    });
  });

  test("is retried at most once a second, also without Retry-After (CLI-10)", async () => {
    const clock = new SimulatedClock();
    const headers = { "retry-after": "0" };
    const { connection, requests } = answering(() =>
      Response.json(refusal, { status: 429, headers }),
    );
    const client = createClient(connection, { clock, retries: 0, timeoutMs: 10_000 });
    const evicted = failureOf(client.resource(pods).evict("a/b"));
    await clock.advance(10_000);
    expect(await evicted).toMatchObject({ reason: "TooManyRequests" });
    expect(requests).toHaveLength(10);
  });

  test("fails with the budget's refusal when the time is over (CLI-10)", async () => {
    const clock = new SimulatedClock();
    const { connection } = answering(() => Response.json(refusal, { status: 429 }));
    const evicted = failureOf(createClient(connection, { clock }).resource(pods).evict("a/b"));
    await clock.advance(60_000);
    expect(await evicted).toMatchObject({ reason: "TooManyRequests" });
  });

  test("that fails otherwise is not repeated (CLI-10)", async () => {
    const { connection, requests } = answering(() => new Response("", { status: 404 }));
    await failureOf(createClient(connection).resource(pods).evict("a/b"));
    expect(requests).toHaveLength(1);
  });
});

describe("logs", () => {
  const text = "one\nzwei: ü\nthree";
  const chunks = [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte));
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });

  test("are read as bytes, as text and line by line (CLI-11)", async () => {
    const { connection, requests } = answering(() => new Response(stream()));
    const client = createClient(connection).resource(pods);
    const log = await client.log("a/b", { container: "c", follow: true, tailLines: 10 });
    const lines: string[] = [];
    for await (const line of log.lines()) lines.push(line);
    expect(lines).toEqual(["one", "zwei: ü", "three"]);
    expect(await (await client.log("a/b")).text()).toBe(text);
    expect(requests[0]?.url).toBe(
      "http://server/api/v1/namespaces/a/pods/b/log?container=c&follow=true&tailLines=10",
    );
  });

  test("of a container that does not exist yet fail with a StatusError (CLI-11)", async () => {
    const status = {
      kind: "Status",
      code: 400,
      reason: "BadRequest",
      message: "is waiting to start",
    };
    const { connection } = answering(() => Response.json(status, { status: 400 }));
    const failure = await failureOf(createClient(connection).resource(pods).log("a/b"));
    expect(failure).toMatchObject({ httpCode: 400, message: "is waiting to start" });
  });
});

test("a pod is bound to a node (CLI-6)", async () => {
  const { connection, requests } = answering(() => Response.json({ kind: "Status" }));
  await createClient(connection).resource(pods).bind("a/b", "n1");
  expect(await requests[0]?.json()).toMatchObject({
    kind: "Binding",
    metadata: { name: "b", namespace: "a" },
    target: { kind: "Node", name: "n1" },
  });
});

test("any request can be sent (CLI-3)", async () => {
  const { client } = clientOf();
  expect(await client.request({ method: "GET", path: "/version" })).toHaveProperty("gitVersion");
  const failure = await failureOf(client.request({ method: "GET", path: "/nothing" }));
  expect(isNotFound(failure)).toBe(true);
});
