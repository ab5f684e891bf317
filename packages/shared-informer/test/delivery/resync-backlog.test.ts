import { sleep } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import {
  clientGoInformerBehaviour,
  InformerView,
  ProcessorListener,
  type Informer,
} from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

const objects = 200;
const minuteMs = 60_000;

async function createCluster(): Promise<Cluster> {
  const cluster = new Cluster();
  for (let index = 0; index < objects; index++) await cluster.create(`shop/${index}`);
  return cluster;
}

/** Updates of each object for a handler whose callbacks take a given time. */
class SlowHandler {
  readonly updates = new Map<string, number>();
  readonly #clock: SimulatedClock;
  callbackMs: number;

  constructor(clock: SimulatedClock, callbackMs: number) {
    this.#clock = clock;
    this.callbackMs = callbackMs;
  }

  async onUpdate(old: object, { metadata: { name } }: Pick<ConfigMap, "metadata">): Promise<void> {
    this.updates.set(name, (this.updates.get(name) ?? 0) + 1);
    if (this.callbackMs > 0) await sleep(this.callbackMs, { clock: this.#clock });
  }

  /** Returns the least and the greatest number of updates of an object. */
  get counts(): readonly [number, number] {
    const counts = [...this.updates.values()];
    return [Math.min(...counts), Math.max(...counts)];
  }
}

type Subject = Pick<Informer<ConfigMap>, "addEventHandler" | "events" | "synced">;

describe.each([
  ["an informer", false],
  ["a view", true],
])("a handler of %s that is slower than its resyncs", (_, isView) => {
  async function run(check: (subject: Subject, cluster: Cluster) => Promise<void>): Promise<void> {
    const cluster = await createCluster();
    const { clock } = cluster;
    const informer = informerOf(cluster, { resyncMs: 1000 });
    const view = new InformerView([informer], { clock, resyncMs: 1000 });
    const ended = isView ? Promise.all([informer.run(), view.run()]) : informer.run();
    await check(isView ? view : informer, cluster);
    // They wait for the callback that is running.
    void informer[Symbol.asyncDispose]();
    void view[Symbol.asyncDispose]();
    await clock.advance(minuteMs);
    await ended;
  }

  test("has at most one resync waiting, and gets every object in each", async () => {
    await run(async (subject, { clock }) => {
      const handler = new SlowHandler(clock, 50);
      const registration = subject.addEventHandler(handler);
      for (let minute = 0; minute < 10; minute++) {
        await clock.advance(minuteMs);
        expect(registration.backlog).toBeLessThanOrEqual(objects);
      }
      const [least, greatest] = handler.counts;
      expect(handler.updates.size).toBe(objects);
      // Each takes 10 s, and the next one begins with the next check.
      expect(least).toBeGreaterThanOrEqual(50);
      expect(greatest - least).toBeLessThanOrEqual(1);
    });
  });

  test("gets each resync again once it has caught up, and others get theirs all the time", async () => {
    await run(async (subject, { clock }) => {
      const slow = new SlowHandler(clock, 50);
      const quick = new SlowHandler(clock, 0);
      subject.addEventHandler(slow);
      subject.addEventHandler(quick);
      await clock.advance(minuteMs);
      expect(quick.counts[0]).toBeGreaterThanOrEqual(59);
      expect(slow.counts[1]).toBeLessThanOrEqual(7);
      slow.callbackMs = 0;
      // The rest of the resync that it is processing.
      await clock.advance(1000);
      const before = slow.counts[0];
      await clock.advance(minuteMs);
      expect(slow.counts[0] - before).toBeGreaterThanOrEqual(59);
    });
  });

  test("still gets every change", async () => {
    await run(async (subject, cluster) => {
      const seen: unknown[] = [];
      subject.addEventHandler({
        onUpdate: async (old, { data }) => {
          if (data !== old.data) seen.push(data?.["n"]);
          await sleep(50, { clock: cluster.clock });
        },
      });
      await cluster.clock.advance(minuteMs);
      for (let n = 0; n < 5; n++) await cluster.update("shop/7", { data: { n: String(n) } });
      await cluster.clock.advance(minuteMs);
      expect(seen).toEqual(["0", "1", "2", "3", "4"]);
    });
  });

  test.each(["block", "coalesce", "resync"] as const)(
    "and an event stream (%s) gets no resync at all",
    async (overflow) => {
      await run(async (subject, { clock }) => {
        const stream = subject.events({ overflow });
        const first = stream.next();
        await clock.advance(10 * minuteMs);
        expect(await first).toMatchObject({ value: { type: "add" } });
        expect(stream.backlog).toBeLessThan(objects);
        await stream.return?.();
      });
    },
  );
});

test("with client-go's behaviour resyncs pile up", async () => {
  const cluster = await createCluster();
  const { clock } = cluster;
  const informer = informerOf(cluster, { resyncMs: 1000, behaviour: clientGoInformerBehaviour });
  const registration = informer.addEventHandler(new SlowHandler(clock, 50));
  const ended = informer.run();
  await clock.advance(minuteMs);
  expect(registration.backlog).toBeGreaterThan(40 * objects);
  void informer[Symbol.asyncDispose]();
  await clock.advance(minuteMs);
  await ended;
});

test("a listener knows whether an event of a resync waits", async () => {
  const clock = new SimulatedClock();
  const listener = new ProcessorListener<{ n: number }>({}, { clock });
  const [one, two] = [{ n: 1 }, { n: 2 }];
  listener.push({ type: "update", key: "a", old: one, object: two });
  expect(listener.isResyncWaiting).toBe(false);
  listener.push({ type: "update", key: "a", old: two, object: two });
  listener.push({ type: "update", key: "a", old: two, object: one });
  expect(listener.isResyncWaiting).toBe(true);
  listener.start();
  await clock.advance(0);
  expect(listener.isResyncWaiting).toBe(false);
  await listener.stop();
});
