import { createConnection, LazyTextError, type FetchFunction } from "@listwatch/client";
import { httpListerWatcher } from "@listwatch/reflector";
import { expect, test } from "vitest";
import { Cluster, configMapReference, sourceForm, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

test("a lazy member that is not JSON is reported when it is read, and listed again once (LAZY-9)", async () => {
  const cluster = new Cluster();
  const large = "x".repeat(64);
  await cluster.create("default/a", { data: { n: "1", large } });
  let lists = 0;
  // Simulates a broken encoder of the server, which the test can repair.
  let isBroken = true;
  const fetch: FetchFunction = async (request) => {
    const response = await cluster.api.fetch(request);
    if (new URL(request.url).searchParams.has("watch")) return response;
    lists++;
    const text = await response.text();
    return new Response(isBroken ? text.replace('"n":"1"', '"n";"1"') : text, response);
  };
  const { decoder } = sourceForm;
  const connection = createConnection({ server: "http://cluster", fetch });
  const listerWatcher = httpListerWatcher<ConfigMap>({
    clock: cluster.clock,
    connection,
    resource: configMapReference,
    decoder,
    lazy: true,
    watchListSupported: false,
  });
  const errors: unknown[] = [];
  const informer = informerOf(cluster, {
    listerWatcher,
    onError: (error) => void errors.push(error),
  });
  const read: string[] = [];
  const note = ({ metadata, data }: ConfigMap): void => {
    read.push(`${metadata.name} ${data?.["n"]}`);
  };
  informer.addEventHandler({ onAdd: note, onUpdate: (_, object) => note(object) });
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  await informer.synced;
  await cluster.clock.advance(100);
  expect(informer.store.listKeys()).toEqual(["default/a"]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toBeInstanceOf(LazyTextError);
  expect(lists).toBe(1);

  // The next event ends the watch, and a list delivers the repaired object.
  isBroken = false;
  await cluster.create("default/b", { data: { n: "2" } });
  await cluster.clock.advance(60_000);
  expect(lists).toBe(2);
  expect(read.toSorted()).toEqual(["a 1", "b 2"]);
  expect(informer.status().problem).toBeUndefined();
  stop.abort();
  await ended;
});
