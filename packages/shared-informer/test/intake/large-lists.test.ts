import type { Clock } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import type { ListerWatcher } from "@listwatch/reflector";
import { IndexFunctionError } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { SharedInformer } from "../../src/index.ts";

interface Pod {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly bad?: boolean;
}

/** A clock on which every read takes a millisecond; `inTurn` is called in each turn. */
class BusyClock implements Clock {
  readonly simulated = new SimulatedClock();
  turns = 0;
  inTurn: () => void = () => {};
  #looks = 0;

  now(): number {
    return this.simulated.now() + ++this.#looks;
  }

  setTimeout(callback: () => void, delayMs: number): ReturnType<Clock["setTimeout"]> {
    return this.simulated.setTimeout(callback, delayMs);
  }

  async nextTurn(): Promise<void> {
    await this.simulated.nextTurn();
    this.turns++;
    this.inTurn();
  }
}

const podsOf = (count: number, resourceVersion: string): Pod[] =>
  Array.from({ length: count }, (_, index) => ({
    metadata: { name: `pod-${index}`, resourceVersion },
  }));

/** Returns these lists one after the other; `expire` ends the watch. */
class Lists implements ListerWatcher<Pod> {
  readonly watchListSupported = false;
  readonly #lists: (readonly Pod[])[];
  #end: ((error: Error) => void) | undefined;

  constructor(...lists: readonly (readonly Pod[])[]) {
    this.#lists = [...lists];
  }

  async list(): ReturnType<ListerWatcher<Pod>["list"]> {
    return { metadata: { resourceVersion: "9" }, items: this.#lists.shift() ?? [] };
  }

  async watch(
    _: unknown,
    { signal }: { readonly signal: AbortSignal },
  ): ReturnType<ListerWatcher<Pod>["watch"]> {
    const ended = new Promise<never>((_resolve, reject) => {
      this.#end = reject;
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    ended.catch(() => undefined);
    return {
      async *[Symbol.asyncIterator]() {
        yield await ended;
      },
    };
  }

  /** Ends the watch with an error that requires a relist. */
  expire(): void {
    this.#end?.(new TypeError("broken"));
  }
}

function informerOf(listerWatcher: Lists): {
  readonly clock: BusyClock;
  readonly informer: SharedInformer<Pod, { bad: boolean }>;
  readonly told: string[];
  readonly errors: unknown[];
} {
  const clock = new BusyClock();
  const told: string[] = [];
  const errors: unknown[] = [];
  const informer = new SharedInformer<Pod, { bad: boolean }>({
    clock,
    listerWatcher,
    onError: (error) => void errors.push(error),
    indexers: {
      bad: ({ bad }) => {
        if (bad === true) throw new Error("cannot be indexed");
        return false;
      },
    },
  });
  informer.addEventHandler({
    onAdd: ({ metadata }) => told.push(`add ${metadata.name}`),
    onUpdate: (old, { metadata }) =>
      told.push(`update ${metadata.name} ${old.metadata.resourceVersion}`),
    onDelete: ({ key }) => told.push(`delete ${key}`),
  });
  return { clock, informer, told, errors };
}

/** A mailbox that only calls a function. */
function listenerOf(push: () => void): Parameters<SharedInformer<Pod>["addListener"]>[0] {
  return {
    name: "listener",
    backlog: 0,
    push,
    sourceSynced: () => undefined,
    start: () => undefined,
    stop: () => Promise.resolve(),
  };
}

describe("a list of many objects", () => {
  test("is prepared over several turns, in which the cache is empty, and applied atomically (CTL-9)", async () => {
    const { clock, informer, told } = informerOf(new Lists(podsOf(3000, "1")));
    const sizes = new Set<number>();
    clock.inTurn = () => void sizes.add(informer.store.list().length);
    const ended = informer.run();
    await informer.synced;
    await clock.simulated.settle();
    expect([...sizes]).toEqual([0, 3000]);
    expect(clock.turns).toBeGreaterThan(3);
    expect(told).toEqual(podsOf(3000, "1").map(({ metadata }) => `add ${metadata.name}`));
    await informer[Symbol.asyncDispose]();
    await ended;
  });

  test("is reported as the difference to the previous content: deletions, then all others in their order", async () => {
    const lists = new Lists(podsOf(3000, "1"), podsOf(2000, "2"));
    const { clock, informer, told } = informerOf(lists);
    const ended = informer.run();
    await informer.synced;
    await clock.simulated.settle();
    told.length = 0;
    const sizes = new Set<number>();
    clock.inTurn = () => void sizes.add(informer.store.list().length);
    lists.expire();
    await clock.simulated.advance(60_000);
    expect([...sizes]).toEqual([3000, 2000]);
    expect(told).toEqual([
      ...Array.from({ length: 1000 }, (_, index) => `delete pod-${2000 + index}`),
      ...Array.from({ length: 2000 }, (_, index) => `update pod-${index} 1`),
    ]);
    await informer[Symbol.asyncDispose]();
    await ended;
  });

  test("keeps every turn short: both with its keys and with its changes (LAZY-16)", async () => {
    const clock = new BusyClock();
    const inTurn = { keys: 0, changes: 0 };
    const most = { ...inTurn };
    const count = (what: keyof typeof most): void => {
      most[what] = Math.max(most[what], ++inTurn[what]);
    };
    const informer = new SharedInformer<Pod>({
      clock,
      listerWatcher: new Lists(podsOf(3000, "1")),
      cache: {
        keyFunc: ({ metadata }) => {
          count("keys");
          return metadata.name;
        },
      },
    });
    informer.addListener(listenerOf(() => count("changes")));
    clock.inTurn = () => Object.assign(inTurn, { keys: 0, changes: 0 });
    const ended = informer.run();
    await informer.synced;
    // The clock is read every 32 objects, which takes 1 ms; a turn has 8 ms.
    for (const objects of Object.values(most)) {
      expect(objects).toBeGreaterThan(0);
      expect(objects).toBeLessThanOrEqual(256);
    }
    await informer[Symbol.asyncDispose]();
    await ended;
  });

  test("reaches a handler added while its changes arrive exactly once (SI-29)", async () => {
    const lists = new Lists(podsOf(3000, "1"), podsOf(2000, "2"));
    const { clock, informer, told } = informerOf(lists);
    const late: string[] = [];
    let added = 0;
    const addWhen = (isDue: () => boolean) => () => {
      if (!isDue()) return;
      clock.inTurn = () => undefined;
      added = informer.store.list().length;
      informer.addEventHandler({
        onAdd: ({ metadata }) => late.push(`add ${metadata.name} ${metadata.resourceVersion}`),
        onUpdate: (_, { metadata }) => late.push(`update ${metadata.name}`),
        onDelete: ({ key }) => late.push(`delete ${key}`),
      });
    };
    const adds = (pods: readonly Pod[]): string[] =>
      pods.map(({ metadata }) => `add ${metadata.name} ${metadata.resourceVersion}`);
    clock.inTurn = addWhen(() => told.length > 0);
    const ended = informer.run();
    await informer.synced;
    await clock.simulated.settle();
    expect(added).toBe(3000);
    expect(late).toEqual(adds(podsOf(3000, "1")));
    late.length = 0;
    told.length = 0;
    clock.inTurn = addWhen(() => told.length > 0);
    lists.expire();
    await clock.simulated.advance(60_000);
    expect(added).toBe(2000);
    expect(told).toHaveLength(3000);
    expect(late.filter((line) => line.startsWith("add"))).toEqual(adds(podsOf(2000, "2")));
    await informer[Symbol.asyncDispose]();
    await ended;
  });

  test("reaches a stream that has lost its backlog meanwhile exactly once", async () => {
    const { clock, informer } = informerOf(new Lists(podsOf(3000, "1")));
    const read: string[] = [];
    let told = 0;
    informer.addListener(listenerOf(() => told++));
    const { promise: meanwhile, resolve } = Promise.withResolvers<void>();
    clock.inTurn = () => {
      if (told > 1200) resolve();
    };
    const reading = (async () => {
      for await (const { key, type } of informer.events({ overflow: "resync", max: 1000 })) {
        read.push(`${type} ${key}`);
        await meanwhile;
      }
    })();
    const ended = informer.run();
    await informer.synced;
    await clock.simulated.settle();
    expect(read.toSorted()).toEqual(
      podsOf(3000, "1")
        .map(({ metadata }) => `add ${metadata.name}`)
        .toSorted(),
    );
    await informer[Symbol.asyncDispose]();
    await ended;
    await reading;
  });

  test("hides no object if one cannot be indexed, which is reported until that is deleted (CTL-8)", async () => {
    const bad = { ...podsOf(1, "1")[0], bad: true } as Pod;
    const lists = new Lists([...podsOf(2000, "1"), bad], podsOf(1500, "2"));
    const { clock, informer, errors } = informerOf(lists);
    const ended = informer.run();
    await clock.simulated.settle();
    expect(informer.store.list()).toHaveLength(2000);
    expect(informer.status().problem).toMatchObject({ reason: "indexFunction", keys: ["pod-0"] });
    expect(errors).toHaveLength(1);
    lists.expire();
    await clock.simulated.advance(60_000);
    expect(informer.store.list()).toHaveLength(1500);
    expect(informer.status().problem).toBeUndefined();
    expect(errors.filter((error) => error instanceof IndexFunctionError)).toHaveLength(1);
    await informer[Symbol.asyncDispose]();
    await ended;
  });

  test("is applied completely if the informer is stopped meanwhile, and no timer is left", async () => {
    const { clock, informer } = informerOf(new Lists(podsOf(3000, "1")));
    const stop = new AbortController();
    clock.inTurn = () => {
      if (informer.status().queuedDeltas > 0) stop.abort();
    };
    await informer.run(stop.signal);
    expect(informer.store.list()).toHaveLength(3000);
    expect(clock.simulated.pendingTimers).toBe(0);
  });
});
