/**
 * One minute of a collection of 1,000 pods on the simulated clock, seen by a program that lists it
 * every five seconds, and by an informer. The page "Why informers, why not poll" states the
 * figures.
 */
import { readFileSync } from "node:fs";
import {
  createClient,
  createConnection,
  httpListerWatcher,
  SharedInformer,
  type FetchFunction,
  type Key,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods, type Pod } from "listwatch/resources/core/v1";
import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
// @boundaries-ignore the pods of the benchmarks, so that the page and they state the same size
import { servedPod } from "../../../bench/reflector/workload.ts";

const pollPeriodMs = 5000;
const minuteMs = 60_000;
const podCount = 1000;

/** Content of the server: pods of 4.6 kB, as on the page Performance. */
const objects = Array.from({ length: podCount }, (_none, index) => {
  const { metadata, spec, status } = servedPod(index, "1");
  return { apiVersion: "v1", kind: "Pod", metadata: { ...metadata }, spec, status };
});
const nameOf = (index: number): Key<"Namespaced"> => {
  const { namespace, name } = objects[index]!.metadata as { namespace: string; name: string };
  return `${namespace}/${name}`;
};

/** Requests and the bytes of their answers, counted since the last reset. */
class Traffic {
  requests = 0;
  bytes = 0;
  readonly fetch: FetchFunction;

  constructor(server: FakeApiServer) {
    this.fetch = async (request) => {
      this.requests += 1;
      const answer = await server.fetch(request);
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.bytes += chunk.length;
          controller.enqueue(chunk);
        },
      });
      return new Response(answer.body?.pipeThrough(count), answer);
    };
  }

  reset(): void {
    this.requests = 0;
    this.bytes = 0;
  }
}

/** A change that a program has noticed, with the time at which it did. */
interface Noticed {
  readonly type: "add" | "update" | "delete";
  readonly key: string;
  readonly atMs: number;
}

function startServer() {
  const clock = new SimulatedClock();
  // The owners of the pods are not there.
  const garbageCollection = "never";
  const namespaces = "permissive";
  const server = new FakeApiServer({ clock, seed: 1, objects, namespaces, garbageCollection });
  const traffic = new Traffic(server);
  const connection = createConnection({ server: "http://fake", fetch: traffic.fetch });
  const own = createConnection({ server: "http://fake", fetch: server.fetch });
  return { clock, connection, traffic, writer: createClient(own, { clock }).resource(pods) };
}

type Setting = ReturnType<typeof startServer>;

/** Twenty pods become ready, one every three seconds; a pod of a job lives for two seconds. */
function scheduleChanges({ clock, writer }: Setting): void {
  for (let index = 0; index < 20; index++) {
    const status = { phase: "Running", message: "ready" } as const;
    clock.setTimeout(() => void writer.patchStatus(nameOf(index), { status }), 1500 + index * 3000);
  }
  const metadata = { namespace: "jobs", name: "short" };
  const spec = { containers: [{ name: "main", image: "busybox" }] };
  clock.setTimeout(() => void writer.create({ metadata, spec }), 31_000);
  clock.setTimeout(() => void writer.delete("jobs/short"), 33_000);
}

/** Compares two lists, as a program without an informer has to. */
function differences(before: Map<string, string>, after: Map<string, string>, atMs: number) {
  const noticed: Noticed[] = [];
  for (const [key, version] of after) {
    if (!before.has(key)) noticed.push({ type: "add", key, atMs });
    else if (before.get(key) !== version) noticed.push({ type: "update", key, atMs });
  }
  for (const key of before.keys()) {
    if (!after.has(key)) noticed.push({ type: "delete", key, atMs });
  }
  return noticed;
}

async function pollForAMinute() {
  const setting = startServer();
  const { clock, connection, traffic } = setting;
  const client = createClient(connection, { clock }).resource(pods);
  const list = async (): Promise<Map<string, string>> => {
    const { items } = await client.list();
    const versions = items.map(({ metadata }) => metadata as Required<typeof metadata>);
    return new Map(versions.map((one) => [`${one.namespace}/${one.name}`, one.resourceVersion]));
  };
  let before = await list();
  traffic.reset();
  const startMs = clock.now();
  scheduleChanges(setting);
  const noticed: Noticed[] = [];
  for (let time = pollPeriodMs; time <= minuteMs; time += pollPeriodMs) {
    await clock.advance(pollPeriodMs);
    const after = await list();
    noticed.push(...differences(before, after, time));
    before = after;
  }
  expect(clock.now() - startMs).toBe(minuteMs);
  return { requests: traffic.requests, bytes: traffic.bytes, noticed };
}

async function informForAMinute() {
  const setting = startServer();
  const { clock, connection, traffic } = setting;
  const listerWatcher = httpListerWatcher({ connection, resource: pods, clock });
  const informer = new SharedInformer<Pod>({ listerWatcher, clock, random: () => 0.5 });
  const noticed: Noticed[] = [];
  let startMs = Infinity;
  const notice =
    (type: Noticed["type"]) =>
    (pod: { readonly metadata: { readonly namespace: string; readonly name: string } }) => {
      const { namespace, name } = pod.metadata;
      const atMs = clock.now() - startMs;
      if (atMs > 0) noticed.push({ type, key: `${namespace}/${name}`, atMs });
    };
  const update = notice("update");
  const remove = notice("delete");
  const { synced } = informer.addEventHandler({
    onAdd: notice("add"),
    onUpdate: (_before, after) => update(after),
    onDelete: ({ object }) => remove(object!),
  });
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  await clock.advance(1);
  await synced;
  traffic.reset();
  startMs = clock.now();
  scheduleChanges(setting);
  await clock.advance(minuteMs);
  const { requests, bytes } = traffic;
  stop.abort();
  await ended;
  return { requests, bytes, noticed };
}

/** Delays in seconds with which the twenty updates were noticed. */
function delaysOf(noticed: readonly Noticed[]): readonly number[] {
  const updates = noticed.filter(({ type, key }) => type === "update" && key !== "jobs/short");
  return updates.map(({ atMs }, index) => (atMs - (1500 + index * 3000)) / 1000);
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toPrecision(3)} MB`;

test("the page Why informers states the figures of a simulated minute", async () => {
  const poll = await pollForAMinute();
  const informer = await informForAMinute();
  const [pollDelays, informerDelays] = [delaysOf(poll.noticed), delaysOf(informer.noticed)];
  expect([pollDelays.length, informerDelays.length]).toEqual([20, 20]);
  expect(Math.max(...informerDelays)).toBe(0);

  const ofPod = (noticed: readonly Noticed[]) =>
    noticed.filter(({ key }) => key === "jobs/short").map(({ type }) => type);
  expect(ofPod(poll.noticed)).toEqual([]);
  expect(ofPod(informer.noticed)).toEqual(["add", "update", "delete"]);

  const page = readFileSync("apps/docs/src/content/docs/start/why-informers.mdx", "utf8");
  const picture = readFileSync("apps/docs/src/diagrams/PollOrWatch.astro", "utf8");
  for (const text of [megabytes(poll.bytes), megabytes(informer.bytes)]) {
    expect(page).toContain(`| ${text}`);
    expect(picture).toContain(text);
  }
  expect(informer.requests).toBe(0);
  expect(page).toContain(`| ${poll.requests}: twelve lists`);
  expect(page).toContain(
    `${mean(pollDelays)} s later on average, at most ${Math.max(...pollDelays)} s`,
  );
});
