import { createClient, createConnection, Informer, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps, type ConfigMap } from "listwatch/resources/core/v1";
import { eventStreamSource, toEventStream } from "listwatch/streams";
import { expect, test, vi } from "vitest";
import { fetchFrom, serveTab } from "./page-stream.ts";

/** Longer than anything here takes on a machine that does much else. */
const limit = { timeout: 300_000 };

test("several tabs share the stream of a worker", async () => {
  const { fetch } = new FakeApiServer();
  const connection = createConnection({ server: "http://fake", fetch });
  const client = createClient(connection).in("default").resource(configmaps);
  const write = (state: string) =>
    client.apply({ metadata: { name: "one" }, data: { state } }, { fieldManager: "test" });
  await write("new");
  const factory = new SharedInformerFactory({ connection });
  const server = toEventStream({ maps: factory.informer(configmaps) }, { authorize: () => true });
  factory.start();

  const stop = new AbortController();
  const runs: Promise<void>[] = [];
  const follow = (fetchStream: ReturnType<typeof fetchFrom>) => {
    const url = "http://dashboard/stream";
    const stream = eventStreamSource(url, { fetch: fetchStream });
    const informer = new Informer(stream.collection<ConfigMap>("maps"), {});
    runs.push(informer.run(stop.signal));
    return informer;
  };
  const worker = follow((url, init) => server(new Request(url, init)));
  const handler = toEventStream({ maps: worker }, { authorize: () => true });
  const tabs = Array.from({ length: 3 }, () => {
    const { port1, port2 } = new MessageChannel();
    serveTab(port1, handler);
    return { informer: follow(fetchFrom(port2)), close: () => port1.close() };
  });
  const show = async (state: string): Promise<void> => {
    await vi.waitFor(() => {
      for (const { informer } of tabs) {
        expect(informer.store.getByKey("default/one")?.data).toEqual({ state });
      }
    }, limit);
  };
  await show("new");
  await write("old");
  await show("old");
  expect(server.status().streams).toBe(1);
  expect(handler.status().streams).toBe(3);
  stop.abort();
  await Promise.all(runs);
  await vi.waitFor(() => {
    expect(handler.status().streams).toBe(0);
  }, limit);
  for (const { close } of tabs) close();
  await handler[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await factory[Symbol.asyncDispose]();
});

test("a tab that leaves before the answer ends its request in the worker", async () => {
  const { port1, port2 } = new MessageChannel();
  const asked = Promise.withResolvers<Request>();
  serveTab(port1, (request) => {
    asked.resolve(request);
    return new Promise(() => {});
  });
  const leaving = new AbortController();
  const { signal } = leaving;
  const init = { headers: {}, signal, cache: "no-store" } as const;
  const answer = fetchFrom(port2)("http://dashboard/stream", init);
  const request = await asked.promise;
  leaving.abort(new Error("another collection"));
  await expect(answer).rejects.toThrow("another collection");
  await vi.waitFor(() => {
    expect(request.signal.aborted).toBe(true);
  }, limit);
  port1.close();
});
