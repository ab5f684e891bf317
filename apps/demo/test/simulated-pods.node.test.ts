import { FakeApiServer, type LoggedEvent } from "listwatch/fake-apiserver";
import { seededRandom, SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { OwnCluster } from "../src/own-cluster.ts";
import { describeState } from "../src/words.ts";

/** A cluster on a simulated clock. */
class SimulatedCluster {
  readonly clock = new SimulatedClock();
  readonly server = new FakeApiServer({ clock: this.clock, podDeletion: "never" });
  readonly notes: string[] = [];
  readonly cluster: OwnCluster;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(seed: number) {
    const { clock, server } = this;
    const { signal } = this.#stop;
    const note = (text: string): void => void this.notes.push(text);
    const stage = { clock, random: seededRandom(seed), signal, note };
    this.cluster = new OwnCluster({ ...stage, catchUp: () => Promise.resolve("") }, server);
  }

  async start(): Promise<void> {
    await this.cluster.setUp();
    this.#running = this.cluster.run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** The changes of pods so far. */
  get events(): readonly LoggedEvent[] {
    return this.server.control.eventLog("pods");
  }

  /** How many pods there are. */
  async countPods(): Promise<number> {
    const response = await this.server.fetch(new Request("http://demo/api/v1/pods"));
    const { items } = (await response.json()) as { readonly items: readonly unknown[] };
    return items.length;
  }
}

/** The changes of pods in the given time. */
async function simulate(seed: number, minutes: number): Promise<readonly LoggedEvent[]> {
  const simulated = new SimulatedCluster(seed);
  await simulated.start();
  await simulated.clock.advance(minutes * 60_000);
  await simulated.stop();
  expect(simulated.notes).toEqual([]);
  return simulated.events;
}

test("the same seed gives the same cluster, another seed another one", async () => {
  const [first, again, other] = [await simulate(7, 1), await simulate(7, 1), await simulate(8, 1)];
  const names = (events: readonly LoggedEvent[]) =>
    events.map(({ object, type }) => `${type} ${object.metadata.name}`);
  expect(names(again)).toEqual(names(first));
  expect(names(other)).not.toEqual(names(first));
});

test("every pod goes through the phases of a pod in their order", async () => {
  const lives = new Map<string, string[]>();
  for (const { object, type } of await simulate(1, 3)) {
    const { name = "" } = object.metadata;
    const state = type === "DELETED" ? "gone" : describeState(object);
    const before = lives.get(name) ?? [];
    if (before.at(-1) !== state) lives.set(name, [...before, state]);
  }
  expect(lives.size).toBeGreaterThan(100);
  // The test can end at any point of a life.
  const legal =
    /^Pending( ContainerCreating( Running( CrashLoopBackOff( Running)?)?( Completed| Error)?( Terminating)?( gone)?)?)?$/;
  for (const states of lives.values()) expect(states.join(" ")).toMatch(legal);
  const seen = [...lives.values()].flat();
  for (const state of ["Completed", "Error", "CrashLoopBackOff", "gone"]) {
    expect(seen).toContain(state);
  }
});

test("the number of pods stays that of a small cluster", async () => {
  const simulated = new SimulatedCluster(3);
  await simulated.start();
  for (let step = 0; step < 12; step++) {
    await simulated.clock.advance(15_000);
    const pods = await simulated.countPods();
    expect(pods).toBeGreaterThan(15);
    expect(pods).toBeLessThan(40);
  }
  await simulated.stop();
});

test("the pods of a burst are there at once, and gone within half a minute", async () => {
  const simulated = new SimulatedCluster(5);
  await simulated.cluster.setUp();
  const before = await simulated.countPods();
  expect(await simulated.cluster.burst()).toBe(200);
  expect(await simulated.countPods()).toBe(before + 200);
  await simulated.clock.advance(30_000);
  expect(await simulated.countPods()).toBe(before);
  await simulated.stop();
});

test("very many pods come and go to the number that is asked for", async () => {
  const simulated = new SimulatedCluster(1);
  await simulated.cluster.setUp();
  const before = await simulated.countPods();
  await simulated.cluster.setMany(600);
  expect([simulated.cluster.many, await simulated.countPods()]).toEqual([600, before + 600]);
  await simulated.cluster.setMany(0);
  expect([simulated.cluster.many, await simulated.countPods()]).toEqual([0, before]);
});

test("a pod that a user deletes is replaced, and a refusal is noted once", async () => {
  const simulated = new SimulatedCluster(1);
  await simulated.start();
  const [first] = simulated.events;
  const { name, namespace } = first?.object.metadata ?? {};
  const url = `http://demo/api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`;
  await simulated.server.fetch(new Request(url, { method: "DELETE" }));
  const status = { code: 403, reason: "Forbidden", message: "no, not you" } as const;
  const match = { verb: "create", resource: "pods" } as const;
  const { faults } = simulated.server.control;
  const fault = faults.add({ match, action: { type: "status", status }, times: Infinity });
  await simulated.clock.advance(60_000);
  fault.remove();
  expect(fault.fired).toBeGreaterThan(1);
  expect(simulated.notes).toEqual(["Cannot change anything here: no, not you"]);
  await simulated.clock.advance(30_000);
  expect(await simulated.countPods()).toBeGreaterThan(15);
  await simulated.stop();
});
