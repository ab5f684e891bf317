import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Connection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";

/** Time limit for the creation of a server's own objects, which takes some seconds. */
const startLimitMs = 30_000;

type Json = Readonly<Record<string, unknown>>;
type Read = (path: string) => Promise<Json>;

// Members that differ between servers, or come from earlier tests.
const ownWords: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "lastTransitionTime",
  "resourceVersion",
  "time",
  "uid",
]);
const skipped: ReadonlySet<string> = new Set([
  "componentstatuses",
  "configmaps",
  "endpoints",
  "endpointslices",
  "events",
  "leases",
  "namespaces",
  "services",
]);

/** Compares the default objects of a real server with those of the fake one; counts the checks. */
export async function runBootstrapChecks(connection: Connection): Promise<Counts> {
  const fake = new FakeApiServer({ bootstrap: "full" });
  const real: Read = (path) =>
    read(connection.fetch(new Request(new URL(path, connection.server))));
  const ours: Read = (path) => read(fake.fetch(new Request(new URL(path, connection.server))));
  const checks = {
    "discovery names the same groups, resources and verbs": compareDiscovery,
    "what the server makes itself is the same, member by member": compareObjects,
  };
  const counts = { passed: 0, failed: 0 };
  for (const [name, run] of Object.entries(checks)) {
    try {
      console.log(`ok   bootstrap: ${name} (${await run(real, ours)})`);
      counts.passed++;
    } catch (error) {
      console.log(`FAIL bootstrap: ${name}: ${describe(error)}`);
      counts.failed++;
    }
  }
  return counts;
}

async function compareDiscovery(real: Read, ours: Read): Promise<string> {
  const builtin = (await groupsOf(ours)).map(({ name }) => name);
  const groups = (await groupsOf(real)).filter(({ name }) => builtin.includes(name));
  assert.deepEqual(await groupsOf(ours), groups);
  const paths = ["/api/v1", ...groups.flatMap(versionPaths)];
  for (const path of paths)
    assert.deepEqual(await resourcesOf(ours, path), await resourcesOf(real, path));
  return `${paths.length} group versions`;
}

async function compareObjects(real: Read, ours: Read): Promise<string> {
  let compared = 0;
  for (const path of ["/api/v1", ...(await groupsOf(ours)).flatMap(versionPaths)]) {
    for (const { name, verbs } of await resourcesOf(ours, path)) {
      if (skipped.has(name) || !verbs.includes("list")) continue;
      const made = await objectsOf(ours, `${path}/${name}`);
      const theirs = await madeObjects(real, `${path}/${name}`, made.keys());
      for (const [key, object] of made) {
        assert.deepEqual(object, theirs.get(key), `${path}/${name} ${key}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 150, `expected more than ${compared} objects`);
  return `${compared} objects`;
}

/** Returns the objects of a new server, once it has created all of these. */
async function madeObjects(
  server: Read,
  path: string,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, unknown>> {
  const wanted = [...keys];
  const endMs = Date.now() + startLimitMs;
  for (;;) {
    const objects = await objectsOf(server, path);
    if (wanted.every((key) => objects.has(key)) || Date.now() > endMs) return objects;
    await delay(200);
  }
}

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly groupVersion: string }[];
}

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
}

async function groupsOf(server: Read): Promise<readonly Group[]> {
  return (await server("/apis"))["groups"] as readonly Group[];
}

function versionPaths({ versions }: Group): readonly string[] {
  return versions.map(({ groupVersion }) => `/apis/${groupVersion}`);
}

async function resourcesOf(server: Read, path: string): Promise<readonly Resource[]> {
  return (await server(path))["resources"] as readonly Resource[];
}

async function objectsOf(server: Read, path: string): Promise<ReadonlyMap<string, unknown>> {
  const items = (await server(path))["items"] as readonly { readonly metadata: Json }[];
  return new Map(
    items.map((item) => [
      `${String(item.metadata["namespace"])}/${String(item.metadata["name"])}`,
      withoutOwnWords(item),
    ]),
  );
}

function withoutOwnWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnWords);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !ownWords.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutOwnWords(member)]));
}

async function read(answer: Promise<Response>): Promise<Json> {
  const response = await answer;
  assert.equal(response.status, 200, response.url);
  return (await response.json()) as Json;
}
