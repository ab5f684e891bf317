import { DeltaFIFO, RealFIFO } from "@listwatch/core-fifo";
import { nanosecondsPer, type Benchmark, type Contender, type Suite } from "./framework/suite.ts";
import { NaiveQueue } from "./naive-queue.ts";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const keyFunc = (pod: Pod): string => pod.name;

/** Events per run, so that the fastest side takes some milliseconds. */
const eventCount = 100_000;

/** Arrival of the events: a burst of writes, then pops until the queue is empty, repeatedly. */
interface Workload {
  readonly name: string;
  readonly keys: number;
  readonly burst: number;
}

const steady: Workload = { name: "bursts of 16", keys: 10_000, burst: 16 };
const busy: Workload = { name: "bursts of 1,000", keys: 10_000, burst: 1000 };
// Distinct objects, as in a relist. With 10,000 keys no naive queue would exceed 10,000.
const relist: Workload = { name: "bursts of 50,000", keys: 50_000, burst: 50_000 };
const hotKeys: Workload = { name: "10 hot keys, bursts of 1,000", keys: 10, burst: 1000 };

/** Writes and pops one event at a time, and counts the deltas. */
interface Port {
  write(pod: Pod): void;
  popAll(): number;
}

export const suite: Suite = {
  name: "core-fifo",
  benchmarks: () => [
    compare(steady, "RealFIFO", realFIFO),
    compare(busy, "RealFIFO", realFIFO, 5),
    compare(relist, "RealFIFO", realFIFO, 40),
    compare(busy, "RealFIFO popBatch", realFIFOInBatches),
    compare(relist, "RealFIFO popBatch", realFIFOInBatches),
    compare(steady, "DeltaFIFO", deltaFIFO),
    compare(busy, "DeltaFIFO", deltaFIFO, 1.3),
    compare(relist, "DeltaFIFO", deltaFIFO, 7),
    compare(hotKeys, "DeltaFIFO", deltaFIFO),
    // The cost of any queue by keys, which limits the possible gain.
    compare(hotKeys, "bare Map of arrays", bareMap),
    flatness("RealFIFO", realFIFO),
  ],
};

function compare(workload: Workload, name: string, create: () => Port, goal?: number): Benchmark {
  return {
    name: `${name} add+pop, ${workload.name}`,
    unit: "ns/event",
    yardstick: contender("naive", naive, workload),
    subject: contender(name, create, workload),
    ...(goal === undefined ? {} : { goal }),
  };
}

/**
 * The cost of a deep queue. The ring buffer is equally fast at any depth. The collector's work
 * increases, since deltas that wait that long leave the young generation.
 */
function flatness(name: string, create: () => Port): Benchmark {
  const deep: Workload = { name: "depth 500,000", keys: 500_000, burst: 500_000 };
  return {
    name: `${name} add+pop, depth 500,000 against 1,000`,
    unit: "ns/event",
    yardstick: contender("depth 1,000", create, { ...deep, burst: 1000 }),
    subject: contender("depth 500,000", create, deep),
  };
}

function contender(name: string, create: () => Port, { keys, burst }: Workload): Contender {
  const events = Math.max(eventCount, burst);
  const pods = Array.from({ length: keys }, (_, index) => ({
    name: `ns/pod-${index}`,
    value: index,
  }));
  const sample = nanosecondsPer(events, () => {
    const port = create();
    return () => {
      let delivered = 0;
      for (let written = 0; written < events;) {
        const end = Math.min(written + burst, events);
        for (; written < end; written += 1) {
          const pod = pods[written % keys];
          if (pod !== undefined) port.write(pod);
        }
        delivered += port.popAll();
      }
      if (delivered !== events) throw new Error(`Expected ${events} deltas, got ${delivered}`);
    };
  });
  return { name, sample };
}

function naive(): Port {
  const queue = new NaiveQueue(keyFunc);
  return {
    write: (pod) => queue.write("Updated", pod),
    popAll() {
      let delivered = 0;
      while (queue.length > 0) queue.pop((deltas) => void (delivered += deltas.length));
      return delivered;
    },
  };
}

/** Collects deltas by key, in the order of keys, without any guarantee of a queue. */
function bareMap(): Port {
  const deltas = new Map<string, object[]>();
  return {
    write(pod) {
      const known = deltas.get(pod.name);
      if (known === undefined) deltas.set(pod.name, [{ type: "Updated", object: pod }]);
      else known.push({ type: "Updated", object: pod });
    },
    popAll() {
      let delivered = 0;
      for (const { length } of deltas.values()) delivered += length;
      deltas.clear();
      return delivered;
    },
  };
}

function realFIFO(): Port {
  const queue = new RealFIFO({ keyFunc });
  return {
    write: (pod) => queue.update(pod),
    popAll() {
      let delivered = 0;
      while (queue.length > 0) void queue.pop((deltas) => void (delivered += deltas.length));
      return delivered;
    },
  };
}

function realFIFOInBatches(): Port {
  const queue = new RealFIFO({ keyFunc });
  return {
    write: (pod) => queue.update(pod),
    popAll() {
      let delivered = 0;
      const count = (deltas: readonly unknown[]): void => void (delivered += deltas.length);
      while (queue.length > 0) void queue.popBatch(count, count);
      return delivered;
    },
  };
}

function deltaFIFO(): Port {
  const queue = new DeltaFIFO({ keyFunc });
  return {
    write: (pod) => queue.update(pod),
    popAll() {
      let delivered = 0;
      while (queue.length > 0) void queue.pop((deltas) => void (delivered += deltas.length));
      return delivered;
    },
  };
}
