import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { Collection, createClient, type Connection } from "@listwatch/client";
import { metaNamespaceKey, silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { describe } from "./programs/checks.ts";
import { namespaces } from "./programs/cluster.ts";
import { objectText } from "./programs/object-text.ts";
import type { Counts } from "./run-program.ts";
import { configMapWork, deploymentWork, eventWork, podWork, type StormWork } from "./storm-work.ts";
import { StormWriters } from "./storm-writers.ts";

const objects = 5000;
const writeMs = 10_000;
const equalLimitMs = 30_000;

/** Reads the objects of a cluster in protobuf, prints a line for each check, and counts them. */
export async function runProtobufChecks(connection: Connection): Promise<Counts> {
  const checks = {
    "lists of every built-in resource are those of JSON, member by member": compareLists,
    ...Object.fromEntries(
      [configMapWork, podWork, deploymentWork, eventWork].map((work) => [
        `an informer of ${work.resource.resource} follows random writes`,
        (to: Connection) => followWrites(to, work),
      ]),
    ),
  };
  const counts = { passed: 0, failed: 0 };
  for (const [name, run] of Object.entries(checks)) {
    try {
      console.log(`ok   protobuf: ${name} (${await run(connection)})`);
      counts.passed++;
    } catch (error) {
      console.log(`FAIL protobuf: ${name}: ${describe(error)}`);
      counts.failed++;
    }
  }
  return counts;
}

async function compareLists(connection: Connection): Promise<string> {
  const { resources } = await createClient(connection).discovery.resources();
  let kinds = 0;
  let compared = 0;
  for (const resource of resources) {
    if (!resource.verbs.includes("list")) continue;
    const [json, protobuf] = [await textsOf("json"), await textsOf("protobuf")];
    // Objects that the server keeps writing, such as its lease, are compared when they rest.
    const again = await textsOf("json");
    const resting = new Map([...json].filter(([key, text]) => again.get(key) === text));
    for (const [key, text] of resting) assert.equal(protobuf.get(key), text, resource.resource);
    if (resting.size > 0) kinds++;
    compared += resting.size;

    async function textsOf(encoding: "json" | "protobuf"): Promise<ReadonlyMap<string, string>> {
      const collection = new Collection<object>({ connection, resource, encoding });
      const { signal } = new AbortController();
      const found = new Map<string, string>();
      const { items } = await collection.list({}, { signal });
      for await (const batch of items) {
        for (const object of batch) found.set(metaNamespaceKey(object), objectText(object));
      }
      return found;
    }
  }
  assert.ok(kinds > 10, `expected a cluster with more than ${kinds} kinds`);
  return `${compared} objects of ${kinds} kinds`;
}

async function followWrites(connection: Connection, work: StormWork): Promise<string> {
  const client = createClient(connection);
  const namespace = `listwatch-protobuf-${work.resource.resource}`;
  await client.resource(namespaces).create({ metadata: { name: namespace } });
  const writers = new StormWriters(connection, namespace, work);
  await writers.fill(objects);
  const encodings: (string | null)[] = [];
  const counted: Connection = {
    ...connection,
    fetch: async (request) => {
      const response = await connection.fetch(request);
      encodings.push(response.headers.get("content-type"));
      return response;
    },
  };
  await using factory = new SharedInformerFactory({ connection: counted, log: silentLog });
  const informer = factory.informer(work.resource, { namespace, encoding: "protobuf" });
  factory.start();
  await informer.synced;
  writers.start();
  await delay(writeMs);
  await writers.stop();
  assert.ok(encodings.length > 0);
  for (const type of encodings) assert.match(type ?? "", /protobuf/);
  const wanted = await listed(client.resource(work.resource).items({ namespace }));
  const endMs = Date.now() + equalLimitMs;
  for (;;) {
    const cached = await listed(informer.lister.list());
    const differing = [...new Set([...wanted.keys(), ...cached.keys()])].filter(
      (key) => wanted.get(key) !== cached.get(key),
    );
    if (differing.length === 0) break;
    assert.ok(Date.now() < endMs, `${differing.length} differ, such as ${differing[0]}`);
    await delay(100);
  }
  return `${writers.summary}; ${wanted.size} objects equal`;
}

async function listed(
  all: Iterable<object> | AsyncIterable<object>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for await (const object of all) texts.set(metaNamespaceKey(object), objectText(object));
  return texts;
}
