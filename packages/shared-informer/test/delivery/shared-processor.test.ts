import { AlreadyRunningError } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { ProcessorListener, SharedProcessor, type InformerEvent } from "../../src/index.ts";

interface Pod {
  readonly name: string;
}

const added: InformerEvent<Pod> = {
  type: "add",
  key: "a",
  object: { name: "a" },
  isInInitialList: false,
};
const unchanged: InformerEvent<Pod> = {
  type: "update",
  key: "a",
  old: { name: "a" },
  object: { name: "a" },
};

class World {
  readonly clock: SimulatedClock = new SimulatedClock();
  readonly calls: string[] = [];
  readonly processor: SharedProcessor<Pod>;

  constructor(resyncCheckPeriodMs = 0) {
    this.processor = new SharedProcessor<Pod>({ clock: this.clock, resyncCheckPeriodMs });
  }

  listener(name: string, wait?: Promise<void>): ProcessorListener<Pod> {
    const note = (): Promise<void> | undefined => {
      this.calls.push(name);
      return wait;
    };
    return new ProcessorListener<Pod>({ onAdd: note, onUpdate: note }, { name, clock: this.clock });
  }

  async resyncAt(ms: number): Promise<readonly string[]> {
    await this.clock.advance(ms - this.clock.now());
    this.calls.length = 0;
    if (this.processor.shouldResync()) this.processor.distributeResync(unchanged);
    await this.clock.settle();
    return [...this.calls];
  }
}

describe("SharedProcessor", () => {
  test("delivers every notification to every listener, and later ones to a late listener (GEN-5, GEN-6)", async () => {
    const world = new World();
    const { calls, clock, processor } = world;
    processor.addListener(world.listener("early"));
    const stop = new AbortController();
    const ended = processor.run(stop.signal);
    processor.distribute(added);
    processor.addListener(world.listener("late"));
    processor.distribute(added);
    await clock.settle();
    expect(calls.toSorted()).toEqual(["early", "early", "late"]);
    stop.abort();
    await ended;
    processor.distribute(added);
    await clock.settle();
    expect(calls).toHaveLength(3);
  });

  test("does not let a slow listener delay another", async () => {
    const world = new World();
    const { promise, resolve } = Promise.withResolvers<void>();
    world.processor.addListener(world.listener("slow", promise));
    world.processor.addListener(world.listener("quick"));
    const stop = new AbortController();
    const ended = world.processor.run(stop.signal);
    for (let index = 0; index < 3; index++) world.processor.distribute(added);
    await world.clock.settle();
    expect(world.calls.toSorted()).toEqual(["quick", "quick", "quick", "slow"]);
    expect(world.processor.listeners.map(({ backlog }) => backlog)).toEqual([2, 0]);
    stop.abort();
    resolve();
    await ended;
  });

  test("ends when all listeners have ended, removed ones too (SI-5, SI-31)", async () => {
    const world = new World();
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = world.listener("slow", promise);
    world.processor.addListener(slow);
    const stop = new AbortController();
    let hasEnded = false;
    const ended = world.processor.run(stop.signal).then(() => (hasEnded = true));
    world.processor.distribute(added);
    await world.clock.settle();
    const removed = world.processor.removeListener(slow);
    await world.processor.removeListener(slow);
    stop.abort();
    await world.clock.settle();
    expect(hasEnded).toBe(false);
    resolve();
    await Promise.all([ended, removed]);
    world.processor.addListener(slow);
    expect(world.calls).toEqual(["slow"]);
  });

  test("resyncs each listener at the first check after it is due (SI-20)", async () => {
    const world = new World(1000);
    world.processor.addListener(world.listener("never"));
    world.processor.addListener(world.listener("2 s"), { resyncMs: 2000 });
    world.processor.addListener(world.listener("3 s"), { resyncMs: 3000 });
    const stop = new AbortController();
    const ended = world.processor.run(stop.signal);
    expect(await world.resyncAt(1000)).toEqual([]);
    expect(await world.resyncAt(2000)).toEqual(["2 s"]);
    expect(await world.resyncAt(3000)).toEqual(["3 s"]);
    expect(await world.resyncAt(4000)).toEqual(["2 s"]);
    expect((await world.resyncAt(6000)).toSorted()).toEqual(["2 s", "3 s"]);
    stop.abort();
    await ended;
  });

  test("marks all until the first check, except those with changesOnly (SI-21)", async () => {
    const world = new World(1000);
    world.processor.addListener(world.listener("all"));
    world.processor.addListener(world.listener("changes"), { changesOnly: true, resyncMs: 1000 });
    const stop = new AbortController();
    const ended = world.processor.run(stop.signal);
    world.processor.distributeResync(unchanged);
    await world.clock.settle();
    expect(world.calls).toEqual(["all"]);
    expect(await world.resyncAt(5000)).toEqual([]);
    stop.abort();
    await ended;
  });

  test("does not resync without a check period, and accepts a new one (SI-17, SI-19)", async () => {
    const world = new World();
    world.processor.addListener(world.listener("2 s"), { resyncMs: 2000 });
    const stop = new AbortController();
    const ended = world.processor.run(stop.signal);
    expect(await world.resyncAt(10_000)).toEqual([]);
    world.processor.setResyncCheckPeriod(5000);
    expect(await world.resyncAt(15_000)).toEqual(["2 s"]);
    expect(await world.resyncAt(17_000)).toEqual([]);
    expect(await world.resyncAt(20_000)).toEqual(["2 s"]);
    stop.abort();
    await ended;
  });

  test("runs once", async () => {
    const { processor } = new World();
    const ended = processor.run();
    await expect(processor.run()).rejects.toThrow(
      "Cannot run the processor: run was called before",
    );
    await processor[Symbol.asyncDispose]();
    await ended;
    await expect(processor.run()).rejects.toThrow(AlreadyRunningError);
  });

  test("can be run with a signal that is already aborted", async () => {
    const world = new World();
    world.processor.addListener(world.listener("a"));
    world.processor.distribute(added);
    await world.processor.run(AbortSignal.abort());
    expect(world.calls).toEqual([]);
  });
});
