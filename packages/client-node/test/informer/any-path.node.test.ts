import { CoreV1Api, CustomObjectsApi, type KubernetesObject } from "@kubernetes/client-node";
import { createConnection } from "@listwatch/client";
import { makeInformer, type UntypedObject } from "@listwatch/client-node";
import { describe, expect, expectTypeOf, test } from "vitest";
import { ScriptedServer, wireMap } from "../support/scripted-server.ts";
import { configFor, implementations, listenHere, Watched, World } from "../support/world.ts";

const metadata = { resourceVersion: "10" };

describe.each(implementations)("the arguments of $name (MKI-1)", ({ make }) => {
  test.each([
    { given: "/a/path", requested: "/a/path?" },
    { given: "/some", requested: "/some?" },
    { given: "/api/v1/namespaces/x/pods/web/log", requested: "/api/v1/namespaces/x/pods/web/log?" },
    { given: "/api/v1/pods?pretty=true", requested: "/api/v1/pods?pretty=true&" },
    { given: "/api/v1/a%2Fb", requested: "/api/v1/a%2Fb?" },
    { given: "/a/path?watch=0&pretty=1", requested: "/a/path?" },
  ])("the path $given is listed by the function and watched", async ({ given, requested }) => {
    const server = new ScriptedServer();
    const listener = await listenHere(server);
    const list = async () => ({ metadata, items: [{ metadata: { name: "a", namespace: "n" } }] });
    const watched = new Watched(make(configFor(listener.url), given, list, "app=web"));
    await watched.informer.start();
    await server.opened(1);
    server.send("ADDED", wireMap("b", "11"));
    await watched.until("add b");
    expect(watched.informer.list().map((object) => object.metadata?.name)).toEqual(["a", "b"]);
    const [request = ""] = server.requested;
    expect(request.startsWith(requested)).toBe(true);
    const { searchParams } = new URL(request, listener.url);
    expect(searchParams.get("watch")).toBe("true");
    expect(searchParams.get("resourceVersion")).toBe("10");
    expect(searchParams.get("labelSelector")).toBe("app=web");
    await watched.informer.stop();
    await listener.close();
  });

  test("a list without items is empty", async () => {
    await using world = await World.create();
    const nothing = JSON.parse('{"metadata":{"resourceVersion":"1"},"items":null}') as never;
    const watched = world.watch(make, { list: async () => nothing });
    await watched.informer.start();
    expect(watched.informer.list()).toEqual([]);
    expect(watched.errors).toEqual([]);
  });

  test("objects of the cache may be changed, also in development", async () => {
    await using world = await World.create();
    const listed = { metadata: { name: "a", namespace: "n", labels: {} } };
    const watched = world.watch(make, { list: async () => ({ metadata, items: [listed] }) });
    await watched.informer.start();
    const [object] = watched.informer.list();
    Object.assign(object!.metadata!, { labels: { seen: "yes" } });
    expect(object!.metadata!.labels).toEqual({ seen: "yes" });
    expect(watched.errors).toEqual([]);
  });

  test("an unusable path or KubeConfig rejects the start, and throws nothing before", async () => {
    await using world = await World.create();
    const unknown = configFor(world.config.getCurrentCluster()?.server ?? "");
    unknown.setCurrentContext("other");
    const list = async () => ({ metadata, items: [] });
    await expect(make(world.config, "pods", list).start()).rejects.toThrow(/path|URL/);
    await expect(make(unknown, "/api/v1/pods", list).start()).rejects.toThrow(
      /no context "other"|No currently active cluster/,
    );
  });
});

describe("the arguments of listwatch alone (MKI-1)", () => {
  test("an unusable path or list function rejects the start with what was expected", async () => {
    const config = configFor("http://127.0.0.1:1");
    const list = async () => ({ metadata, items: [] });
    const wrong = undefined as unknown as string;
    for (const path of ["pods", "", wrong]) {
      await expect(makeInformer(config, path, list).start()).rejects.toThrow(
        /Cannot use the option path: expected/,
      );
    }
    const none = undefined as unknown as typeof list;
    await expect(makeInformer(config, "/a", none).start()).rejects.toThrow(/listPromiseFn/);
  });

  test("list: 'path' lists any path, and its errors name the path and hide credentials", async () => {
    const server = new ScriptedServer();
    server.items = [wireMap("a", "9")];
    const connection = createConnection({
      server: "http://cluster/prefix",
      fetch: server.fetch,
      headers: { authorization: "Bearer secret-token" },
    });
    const options = { connection, list: "path", retry: { backoff: { baseMs: 20 } } } as const;
    const never = async (): Promise<never> => Promise.reject(new Error("expected no call"));
    const config = configFor("http://cluster");
    const watched = new Watched(makeInformer(config, "/a/path?x=1", never, undefined, options));
    const message = "token secret-token is wrong";
    server.refusals.push(Response.json({ kind: "Status", code: 403, message }, { status: 403 }));
    server.refusals.push(Response.json({ kind: "Status", code: 403, message }, { status: 403 }));
    await watched.informer.start();
    await watched.until("error 403");
    expect(watched.names).toEqual(["a"]);
    const [refused] = watched.errors as Error[];
    expect(refused?.message).not.toContain("secret-token");
    expect(refused?.cause).toMatchObject({ method: "GET", path: "/a/path" });
    expect(server.requested.every((each) => each.startsWith("/prefix/a/path?x=1&"))).toBe(true);
    await watched.informer.stop();
  });

  test("an error of the network names the path", async () => {
    const fetch = async (): Promise<never> => Promise.reject(new Error("no route"));
    const connection = createConnection({ server: "http://cluster/prefix", fetch });
    const config = configFor("http://cluster");
    const list = async () => ({ metadata, items: [] });
    const watched = new Watched(makeInformer(config, "/a/path", list, "", { connection }));
    await watched.informer.start();
    await watched.until("error");
    expect(String(watched.errors[0])).toContain("Cannot watch http://cluster/prefix/a/path");
    await watched.informer.stop();
  });

  test("a function that returns Promise<any> infers objects with the members of client-node's", () => {
    const config = configFor("http://127.0.0.1:1");
    const api = config.makeApiClient(CustomObjectsApi);
    const parts = { group: "x.com", version: "v1", plural: "things" };
    const informer = makeInformer(config, "/apis/x.com/v1/things", () =>
      api.listClusterCustomObject(parts),
    );
    informer.on("add", (object) => {
      expectTypeOf(object).toEqualTypeOf<UntypedObject>();
      expectTypeOf(object.metadata?.name).toEqualTypeOf<string | undefined>();
    });
    informer.on("update", (object: KubernetesObject) => object.metadata?.labels);
    const maps = makeInformer(config, "/api/v1/configmaps", () =>
      config.makeApiClient(CoreV1Api).listConfigMapForAllNamespaces(),
    );
    maps.on("add", (map) => {
      expectTypeOf(map.data).toEqualTypeOf<Record<string, string> | undefined>();
    });
    expect(informer.list()).toEqual([]);
  });
});
