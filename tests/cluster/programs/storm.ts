// An informer in a storm: it watches thousands of objects until the runner ends the storm. Then it
// compares its cache, and the events of its handler, with the server's list.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isNetworkError, isStatusError } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { metaNamespaceKey, silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connect } from "listwatch/node";
import { check, describe } from "./checks.ts";
import { metricsSink } from "../../support/metrics-sink.ts";
import { configMaps, readClusterInfo } from "./cluster.ts";
import { configOf } from "./identity.ts";
import { objectText } from "./object-text.ts";

/** The backoff of a reflector grows to a minute: twice 30 s, client-go's `defaultBackoffMax`. */
const equalLimitMs = 120_000;

const info = readClusterInfo();
const tokenFile = join(info.folder, "token");
await using connection = createClusterConnection(configOf(info, { tokenFile }), { log: silentLog });
const counts = { events: 0, lists: 0, broken: 0, refused: 0 };
await using factory = new SharedInformerFactory({
  connection,
  log: silentLog,
  informers: {
    onError: (error) => {
      if (isNetworkError(error)) counts.broken++;
      if (isStatusError(error) && error.httpCode === 401) counts.refused++;
    },
  },
  metrics: metricsSink(({ name }) => {
    if (name === "reflector_lists_total") counts.lists++;
  }),
});
const informer = factory.informer(configMaps, { namespace: "storm" });
const handled = new Map<string, unknown>();
const put = (object: unknown): void => {
  counts.events++;
  handled.set(metaNamespaceKey(object), object);
};
informer.addEventHandler({
  onAdd: put,
  onUpdate: (_, object) => put(object),
  onDelete: ({ key }) => {
    counts.events++;
    handled.delete(key);
  },
});
factory.start();

await check("the informer has the first list", async () => {
  await informer.synced;
  assert.ok(informer.store.size >= 5000, `${informer.store.size} objects`);
});
writeFileSync(join(info.folder, `synced-${info.runtime}`), "");
while (!existsSync(join(info.folder, "over"))) await delay(100);

const started = performance.now();
await using admin = await connect();
const wanted = new Map(
  (await listRaw()).map((object) => [metaNamespaceKey(object), objectText(object)]),
);
const cached = (): ReadonlyMap<string, unknown> =>
  new Map(informer.lister.list().map((object) => [metaNamespaceKey(object), object]));

const isCacheEqual = async (): Promise<void> => {
  await untilEqual(cached, "the cache");
  const ms = (performance.now() - started).toFixed(0);
  const { broken, events, lists, refused } = counts;
  const saw = `${events} events, ${lists} lists, ${broken} broken requests, ${refused} with 401`;
  console.log(`note equal ${ms} ms after the end of the storm: ${saw}`);
};
const title = `the cache equals the list of ${wanted.size} objects, member by member`;
await check(title, isCacheEqual, 2 * equalLimitMs);
const isHandlerEqual = (): Promise<void> => untilEqual(() => handled, "the handler");
await check("so does what its handler has made of the events", isHandlerEqual, 2 * equalLimitMs);
await check(
  "the storm has reached it: requests broke, were refused, and it listed again",
  async () => {
    const { broken, lists, refused } = counts;
    assert.ok(broken > 0 && refused > 0 && lists > 1, JSON.stringify(counts));
  },
);

/** Returns the list as the server sends it, not processed by the library. */
async function listRaw(): Promise<readonly object[]> {
  const path = "/api/v1/namespaces/storm/configmaps";
  const response = await admin.fetch(new Request(admin.server + path));
  const { items } = (await response.json()) as { readonly items: readonly object[] };
  return items.map((item) => Object.assign({ apiVersion: "v1", kind: "ConfigMap" }, item));
}

async function untilEqual(state: () => ReadonlyMap<string, unknown>, about: string): Promise<void> {
  const endMs = Date.now() + equalLimitMs;
  for (;;) {
    const found = state();
    const texts = new Map(Array.from(found, ([key, object]) => [key, objectText(object)]));
    const different = [...new Set([...wanted.keys(), ...texts.keys()])].filter(
      (key) => wanted.get(key) !== texts.get(key),
    );
    if (different.length === 0) return;
    if (Date.now() > endMs) {
      const [key = ""] = different;
      const [inList, inInformer] = [wanted, texts].map((map) => map.get(key)?.slice(-300));
      const pair = `the list has ${inList}, the informer ${inInformer}`;
      const problem = describe(informer.status().problem?.error);
      assert.fail(`${about}: ${different.length} differ, such as ${key}: ${pair}; ${problem}`);
    }
    await delay(100);
  }
}
