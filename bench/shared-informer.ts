import {
  ProcessorListener,
  SharedInformer,
  SharedProcessor,
  type Notification,
} from "@listwatch/shared-informer";
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

type Change = Notification<Pod>;

const podCount = 50_000;
const handlerCount = 100;

export const suite: Suite = {
  name: "shared-informer",
  benchmarks: () => [
    oneListener("in one flood of 200,000", 200_000, 200_000),
    oneListener("in bursts of 1,000", 200_000, 1000),
    oneListener("in bursts of 16", 200_000, 16),
    fanOut(),
    lateHandler(),
    idleHandlers(),
  ],
};

function oneListener(shape: string, count: number, burst: number): Benchmark {
  return {
    name: `one listener, ${shape}`,
    unit: "ns/notification",
    goal: 3,
    yardstick: {
      name: "a promise for each",
      sample: nanosecondsPer(count, () => () => deliverNaively(count, burst)),
    },
    subject: {
      name: "ProcessorListener",
      sample: nanosecondsPer(count, () => () => deliverTo(1, count, burst)),
    },
  };
}

function fanOut(): Benchmark {
  const count = 10_000;
  return {
    name: `fan-out of 1,000,000 to ${handlerCount} listeners`,
    unit: "ns/notification",
    goal: 1,
    yardstick: fixed("20 M/s", 50),
    subject: {
      name: "SharedProcessor",
      sample: nanosecondsPer(
        count * handlerCount,
        () => () => deliverTo(handlerCount, count, 1000),
      ),
    },
  };
}

/** Runs so many listeners until each has had all notifications. */
async function deliverTo(listeners: number, count: number, burst: number): Promise<void> {
  const processor = new SharedProcessor<Pod>();
  const all = Promise.withResolvers<void>();
  let left = count * listeners;
  const onUpdate = (): void => {
    if (--left === 0) all.resolve();
  };
  for (let index = 0; index < listeners; index++) {
    processor.addListener(new ProcessorListener<Pod>({ onUpdate }));
  }
  const stop = new AbortController();
  const ended = processor.run(stop.signal);
  const [object] = podsOf(1);
  if (object === undefined) return;
  for (let sent = 0; sent < count;) {
    for (const end = Math.min(sent + burst, count); sent < end; sent++) {
      const change: Change = { type: "update", key: "a", object, old: object };
      processor.distribute(change);
    }
    await Promise.resolve();
  }
  await all.promise;
  stop.abort();
  await ended;
}

/** The yardstick: calls that wait for one another by a chain of promises, as one would write it first. */
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

/** An informer of pods that are there and do not change. */
function informerOf(pods: readonly Pod[]): SharedInformer<Pod, { namespace: string }> {
  return new SharedInformer<Pod, { namespace: string }>({
    indexers: namespaceIndex,
    silenceMs: Infinity,
    listerWatcher: {
      watchListSupported: false,
      list: async () => ({ metadata: { resourceVersion: "1" }, items: pods }),
      watch: async (_, { signal }) => ({
        async *[Symbol.asyncIterator]() {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          yield [];
        },
      }),
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
