import {
  ProcessorListener,
  SharedInformer,
  SharedProcessor,
  type InformerEvent,
} from "@listwatch/shared-informer";
import type { WatchEvent } from "@listwatch/client";
import { namespaceIndex } from "@listwatch/store-indexer";
import { fixed, nanosecondsPer, type Benchmark, type Suite } from "./framework/suite.ts";

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

type Change = InformerEvent<Pod>;

const podCount = 50_000;
const handlerCount = 100;

export const suite: Suite = {
  name: "shared-informer",
  benchmarks: () => [
    oneListener("in one flood of 200,000", 200_000, 200_000),
    oneListener("in bursts of 1,000", 200_000, 1000),
    oneListener("in bursts of 16", 200_000, 16),
    fanOut(1, 1_000_000),
    fanOut(handlerCount, 10_000),
    wholeInformer(),
    lateHandler(),
    idleHandlers(),
  ],
};

function oneListener(shape: string, count: number, burst: number): Benchmark {
  return {
    name: `one listener, ${shape}`,
    unit: "ns/notification",
    yardstick: {
      name: "a promise for each",
      sample: nanosecondsPer(count, () => () => deliverNaively(count, burst)),
    },
    subject: {
      name: "ProcessorListener",
      sample: nanosecondsPer(count, deliveryTo(1, count, burst)),
    },
  };
}

function fanOut(listeners: number, count: number): Benchmark {
  return {
    name: `1,000,000 notifications to ${listeners} listener${listeners === 1 ? "" : "s"}`,
    unit: "ns/notification",
    goal: 1,
    yardstick: fixed("20 M/s", 50),
    subject: {
      name: "SharedProcessor",
      sample: nanosecondsPer(count * listeners, deliveryTo(listeners, count, 1000)),
    },
  };
}

/** From watch to callbacks: reflector, queue, indexed store, processor, listeners. */
function wholeInformer(): Benchmark {
  const changes = 10_000;
  const feed = new Feed();
  let informer: SharedInformer<Pod, { namespace: string }> | undefined;
  const sampler = nanosecondsPer(changes * handlerCount, async () => {
    const pods = podsOf(podCount);
    informer = informerOf(pods, feed);
    let left = 0;
    let all = Promise.withResolvers<void>();
    const onUpdate = (): void => {
      if (--left === 0) all.resolve();
    };
    for (let index = 0; index < handlerCount; index++) informer.addEventHandler({ onUpdate });
    void informer.run();
    await informer.synced;
    let version = podCount;
    return async () => {
      left = changes * handlerCount;
      all = Promise.withResolvers<void>();
      for (let sent = 0; sent < changes;) {
        const batch: WatchEvent<Pod>[] = [];
        for (const end = sent + 100; sent < end; sent++) {
          const pod = pods[sent % pods.length];
          if (pod === undefined) throw new Error("There are no pods");
          const metadata = { ...pod.metadata, resourceVersion: String(++version) };
          batch.push({ type: "MODIFIED", object: { metadata } });
        }
        feed.push(batch);
      }
      await all.promise;
    };
  });
  return {
    name: `${changes} updates of ${podCount} objects through an informer to ${handlerCount} handlers`,
    unit: "ns/notification",
    goal: 1,
    yardstick: fixed("20 M/s", 50),
    subject: {
      name: "SharedInformer",
      sample: async () => {
        const cost = await sampler();
        await informer?.[Symbol.asyncDispose]();
        return cost;
      },
    },
  };
}

/** Batches of events for a watch. */
class Feed {
  #batches: WatchEvent<Pod>[][] = [];
  #wake = Promise.withResolvers<void>();

  push(batch: WatchEvent<Pod>[]): void {
    this.#batches.push(batch);
    this.#wake.resolve();
  }

  async *read(signal: AbortSignal): AsyncGenerator<readonly WatchEvent<Pod>[]> {
    signal.addEventListener("abort", () => {
      this.#wake.resolve();
    });
    while (!signal.aborted) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers<void>();
      const batches = this.#batches;
      this.#batches = [];
      yield* batches;
    }
  }
}

/**
 * Long-lived listeners, as in a program. Each run sends them all notifications and waits until the
 * last one is delivered. The previous run is stopped first.
 */
function deliveryTo(listeners: number, count: number, burst: number): () => () => Promise<void> {
  let stop = new AbortController();
  return () => {
    stop.abort();
    stop = new AbortController();
    const processor = new SharedProcessor<Pod>();
    let left = 0;
    let all = Promise.withResolvers<void>();
    const onUpdate = (): void => {
      if (--left === 0) all.resolve();
    };
    for (let index = 0; index < listeners; index++) {
      processor.addListener(new ProcessorListener<Pod>({ onUpdate }));
    }
    void processor.run(stop.signal);
    const [object] = podsOf(1);
    return async () => {
      if (object === undefined) return;
      left = count * listeners;
      all = Promise.withResolvers<void>();
      for (let sent = 0; sent < count;) {
        for (const end = Math.min(sent + burst, count); sent < end; sent++) {
          const change: Change = { type: "update", key: "a", object, old: object };
          processor.distribute(change);
        }
        await Promise.resolve();
      }
      await all.promise;
    };
  };
}

/** The yardstick: a naive delivery, whose calls wait for each other in a chain of promises. */
async function deliverNaively(count: number, burst: number): Promise<void> {
  let calls = 0;
  const handler = { onUpdate: (): unknown => calls++ };
  let last: Promise<unknown> = Promise.resolve();
  const [object] = podsOf(1);
  if (object === undefined) return;
  for (let sent = 0; sent < count;) {
    for (const end = Math.min(sent + burst, count); sent < end; sent++) {
      const change: Change = { type: "update", key: "a", object, old: object };
      last = last.then(() => (change.type === "update" ? handler.onUpdate() : undefined));
    }
    await Promise.resolve();
  }
  await last;
  if (calls !== count) throw new Error("The yardstick lost calls");
}

function podsOf(count: number): Pod[] {
  return Array.from({ length: count }, (_, index) => ({
    metadata: {
      namespace: `namespace-${index % 500}`,
      name: `pod-${index}`,
      uid: `uid-${index}`,
      resourceVersion: String(index + 1),
    },
  }));
}

/** An informer of these pods, whose changes come from the feed. */
function informerOf(
  pods: readonly Pod[],
  feed = new Feed(),
): SharedInformer<Pod, { namespace: string }> {
  return new SharedInformer<Pod, { namespace: string }>({
    indexers: namespaceIndex,
    watch: { silenceMs: Infinity },
    listerWatcher: {
      watchListSupported: false,
      list: async () => ({ metadata: { resourceVersion: "1" }, items: pods }),
      watch: async (_, { signal }) => feed.read(signal),
    },
  });
}

function lateHandler(): Benchmark {
  return {
    name: `a late handler at ${podCount} objects, until it is through`,
    unit: "ms",
    goal: 1,
    yardstick: fixed("30 ms", 30),
    subject: {
      name: "addEventHandler",
      sample: async () => {
        const informer = informerOf(podsOf(podCount));
        const ended = informer.run();
        await informer.synced;
        let least = Infinity;
        for (let run = 0; run < 10; run++) {
          const startMs = performance.now();
          const registration = informer.addEventHandler({ onAdd: () => {} });
          await registration.synced;
          least = Math.min(least, performance.now() - startMs);
          await registration.remove();
        }
        await informer[Symbol.asyncDispose]();
        await ended;
        return least;
      },
    },
  };
}

function idleHandlers(): Benchmark {
  return {
    name: "memory of an idle handler",
    unit: "bytes",
    goal: 1,
    rounds: 3,
    yardstick: fixed("4 KB", 4096),
    subject: {
      name: "HandlerRegistration",
      sample: async () => {
        const informer = informerOf(podsOf(10));
        const ended = informer.run();
        await informer.synced;
        const count = 10_000;
        const before = await heapUsed();
        const registrations = Array.from({ length: count }, () => informer.addEventHandler({}));
        await Promise.all(registrations.map(({ synced }) => synced));
        const bytes = (await heapUsed()) - before;
        await informer[Symbol.asyncDispose]();
        await ended;
        return bytes / count;
      },
    },
  };
}

async function heapUsed(): Promise<number> {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect === "function") collect();
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}
