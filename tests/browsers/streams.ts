import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, createConnection, SharedInformerFactory, silentLog } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { listen } from "listwatch/fake-apiserver/node";
import { configmaps, secrets } from "listwatch/resources/core/v1";
import { toEventStream, type EventStreamHandler } from "listwatch/streams";
import { rolldown } from "rolldown";
import type { Browser } from "./browser.ts";
import type { ShownCollection } from "./page/streams.ts";

/** Result of a check. */
export interface StreamResult {
  readonly title: string;
  readonly problem: string | undefined;
}

type Shown = Readonly<Record<string, ShownCollection>>;

/** Time limit of a check, which takes a second. */
const limitMs = 300_000;

const script = bundlePage();

/** Follows three collections of a server in a page, over HTTP. */
export async function* checkStreams(browser: Browser): AsyncGenerator<StreamResult> {
  await using dashboard = await startDashboard();
  await dashboard.write("a/one", "new");
  await dashboard.write("b/two", "new");
  await dashboard.write("a/three", "new", { marked: "yes" });
  await browser.goto(dashboard.url);
  const check = async (title: string, expected: Shown): Promise<StreamResult> => {
    const problem = await seen(browser, expected);
    return { title: `a page: ${title}`, problem };
  };
  const three = { objects: { "a/three": "new" }, problem: undefined };
  const denied = { objects: {}, problem: "forbidden" };

  yield await check("shows two collections, and that a third one is not granted", {
    maps: { objects: { "a/one": "new", "b/two": "new" }, problem: undefined },
    marked: three,
    secrets: denied,
  });
  const { streams } = dashboard.status();
  const problem = streams === 1 ? undefined : `expected one stream, got ${streams}`;
  yield { title: "a page: has one stream for all collections", problem };

  await dashboard.write("a/one", "old");
  await dashboard.remove("b/two");
  yield await check("shows a change and a delete", {
    maps: { objects: { "a/one": "old" }, problem: undefined },
    marked: three,
    secrets: denied,
  });

  dashboard.disconnect();
  await dashboard.write("b/four", "new");
  yield await check("has what it missed while its connection was lost", {
    maps: { objects: { "a/one": "old", "b/four": "new" }, problem: undefined },
    marked: three,
    secrets: denied,
  });

  await dashboard.restart();
  await dashboard.remove("a/one");
  yield await check("has the state of a server that was started again", {
    maps: { objects: { "b/four": "new" }, problem: undefined },
    marked: three,
    secrets: denied,
  });

  dashboard.grant(["a"]);
  yield await check("drops the objects that are no longer granted", {
    maps: { objects: {}, problem: undefined },
    marked: three,
    secrets: denied,
  });
}

/** Returns the difference that is left at the time limit, if there is one. */
async function seen(browser: Browser, expected: Shown): Promise<string | undefined> {
  const end = performance.now() + limitMs;
  for (;;) {
    // JSON has no undefined members, in which browsers' drivers differ.
    const shown = await browser.evaluate("return JSON.stringify(globalThis.show?.() ?? null);");
    if (isDeepStrictEqual(JSON.parse(String(shown)), JSON.parse(JSON.stringify(expected)))) {
      return undefined;
    }
    if (performance.now() > end) {
      return `expected\n${JSON.stringify(expected)}\ngot\n${String(shown)}`;
    }
    await sleep(50);
  }
}

interface Dashboard extends AsyncDisposable {
  readonly url: string;
  status(): ReturnType<EventStreamHandler["status"]>;
  write(key: string, state: string, labels?: Readonly<Record<string, string>>): Promise<void>;
  remove(key: string): Promise<void>;
  /** Ends the connections without a word. */
  disconnect(): void;
  /** Goes on as a server that knows nothing of its former pages. */
  restart(): Promise<void>;
  /** Lets pages see the objects of these namespaces, instead of all. */
  grant(namespaces: readonly string[]): void;
}

async function startDashboard(): Promise<Dashboard> {
  const { fetch } = new FakeApiServer({ namespaces: "permissive" });
  const connection = createConnection({ server: "http://fake", fetch });
  const client = createClient(connection);
  const factory = new SharedInformerFactory({ connection, log: silentLog });
  const informers = {
    maps: factory.informer(configmaps, { labelSelector: "!marked" }),
    marked: factory.informer(configmaps, { labelSelector: "marked" }),
    secrets: factory.informer(secrets),
  };
  factory.start();
  let granted: readonly string[] = ["a", "b"];
  const serve = (): EventStreamHandler =>
    toEventStream(informers, {
      authorize: (_request, name) => name !== "secrets" && { namespaces: [...granted] },
      authorizeMs: 500,
      heartbeatMs: 500,
      log: silentLog,
    });
  let handler = serve();
  let connections = new AbortController();
  const html = `<!doctype html><script type="module">${await script}</script>`;
  const listener = await listen({
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/") {
        return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
      }
      if (pathname !== "/stream") return new Response(null, { status: 404 });
      const { body, headers, status } = await handler(request);
      const { signal } = connections;
      return new Response(body?.pipeThrough(new TransformStream(), { signal }) ?? null, {
        headers,
        status,
      });
    },
  });
  const places = (key: string): [namespace: string, name: string] => {
    const [namespace = "", name = ""] = key.split("/");
    return [namespace, name];
  };
  return {
    url: `${listener.url}/`,
    status: () => handler.status(),
    async write(key, state, labels) {
      const [namespace, name] = places(key);
      const map = { metadata: { name, ...(labels && { labels }) }, data: { state } };
      await client.in(namespace).resource(configmaps).apply(map, { fieldManager: "test" });
    },
    async remove(key) {
      const [namespace, name] = places(key);
      await client.in(namespace).resource(configmaps).delete(name);
    },
    disconnect() {
      connections.abort();
      connections = new AbortController();
    },
    async restart() {
      const former = handler;
      handler = serve();
      await former[Symbol.asyncDispose]();
    },
    grant(namespaces) {
      granted = namespaces;
    },
    async [Symbol.asyncDispose]() {
      await handler[Symbol.asyncDispose]();
      await listener.close();
      await factory[Symbol.asyncDispose]();
    },
  };
}

async function bundlePage(): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "page/streams.ts"),
    platform: "browser",
    resolve: { conditionNames: ["@listwatch/source", "import", "default"] },
  });
  const { output } = await bundle.generate({ format: "es", codeSplitting: false });
  return output[0].code.replaceAll("</script", String.raw`<\/script`);
}
