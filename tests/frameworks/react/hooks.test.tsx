import { act, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient, createConnection, Informer, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps, type ConfigMap } from "listwatch/resources/core/v1";
import { eventStreamSource, toEventStream } from "listwatch/streams";
import { expect, test, vi } from "vitest";
import { useIndex, useInformer, useObject } from "./hooks.ts";

/** Longer than anything here takes on a machine that does much else. */
const limitMs = 300_000;

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

type Maps = Informer<ConfigMap, { team: string }>;

let renders = 0;
function Dashboard({ informer }: { readonly informer: Maps }) {
  renders++;
  const all = useInformer(informer);
  const red = useIndex(informer, "team", "red");
  const one = useObject(informer, "default/one");
  const names = red.map(({ metadata }) => metadata.name).join("+");
  return <p>{`${all.length} in all, red: ${names}, one: ${one?.data?.["state"] ?? "gone"}`}</p>;
}

test("renders the objects of a stream, by index and by key, until they are gone", async () => {
  const { fetch } = new FakeApiServer();
  const connection = createConnection({ server: "http://fake", fetch });
  const client = createClient(connection).in("default").resource(configmaps);
  // A frame may come, and React render, while a write waits for its answer.
  const write = (name: string, team: string, state: string) => {
    const map = { metadata: { name, labels: { team } }, data: { state } };
    return act(() => client.apply(map, { fieldManager: "a" }));
  };
  await write("one", "red", "new");
  const factory = new SharedInformerFactory({ connection });
  const informers = { maps: factory.informer(configmaps) };
  factory.start();
  const handler = toEventStream(informers, { authorize: () => ({ namespaces: ["default"] }) });
  const stream = eventStreamSource("http://dashboard/", {
    fetch: (url, init) => handler(new Request(url, init)),
  });
  const informer: Maps = new Informer(stream.collection<ConfigMap>("maps"), {
    indexers: { team: ({ metadata }) => metadata.labels?.["team"] },
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);

  const page = document.createElement("div");
  const root = createRoot(page);
  act(() => {
    root.render(
      <StrictMode>
        <Dashboard informer={informer} />
      </StrictMode>,
    );
  });
  const shows = (text: string) =>
    act(() =>
      vi.waitFor(() => {
        expect(page.textContent).toBe(text);
      }, limitMs),
    );
  await shows("1 in all, red: one, one: new");
  await write("two", "red", "new");
  await write("three", "blue", "new");
  await shows("3 in all, red: one+two, one: new");
  await write("one", "blue", "old");
  await shows("3 in all, red: two, one: old");
  await act(() => client.delete("one"));
  await shows("2 in all, red: two, one: gone");
  const before = renders;
  act(() => {
    root.unmount();
  });
  await write("two", "blue", "old");
  await vi.waitFor(() => {
    expect(informer.store.byIndex("team", "red")).toEqual([]);
  }, limitMs);
  expect(renders).toBe(before);
  stop.abort();
  await running;
  await handler[Symbol.asyncDispose]();
  await factory[Symbol.asyncDispose]();
});
