import { getHeapSpaceStatistics } from "node:v8";

/** Measured rounds, after those that warm up caches and compiled code. */
const rounds = 12;
const warmUpRounds = 6;

/** Growth over all measured rounds that is not a leak: caches of the engine still settle. */
const settlingBytes = 96 * 1024;

/**
 * V8's spaces for objects. Compiled code is in other spaces and grows for minutes, in steps of up
 * to 250 kB.
 */
const objectSpaces = new Set([
  "large_object_space",
  "new_large_object_space",
  "new_space",
  "old_space",
]);

/** Slopes below this many standard errors are noise. */
const significance = 4;

/** Development of the heap over the rounds of a scenario. */
export interface HeapTrend {
  readonly samples: readonly number[];
  /** Least-squares growth from one round to the next, in bytes. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly error: number;
  readonly isFlat: boolean;
}

/**
 * Runs a scenario in rounds and measures the used memory after each. It measures bytes, not time,
 * so that a busy machine does not affect it.
 *
 * @param round does a part of the scenario, the same each time
 */
export async function measureHeap(round: () => Promise<void>): Promise<HeapTrend> {
  for (let left = warmUpRounds; left > 0; left--) await round();
  const samples: number[] = [];
  for (let left = rounds; left > 0; left--) {
    await round();
    samples.push(await usedBytes());
  }
  return trendOf(samples);
}

/** Returns the bytes of reachable objects and buffers. */
async function usedBytes(): Promise<number> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Cannot measure the heap: expected node --expose-gc");
  // Finalizers and the objects that they hold need turns of the event loop, and another collection.
  for (let left = 3; left > 0; left--) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    gc();
  }
  let bytes = process.memoryUsage().arrayBuffers;
  for (const { space_name: name, space_used_size: used } of getHeapSpaceStatistics()) {
    if (objectSpaces.has(name)) bytes += used;
  }
  return bytes;
}

/** Fits a line to the samples by least squares. */
function trendOf(samples: readonly number[]): HeapTrend {
  const count = samples.length;
  const meanX = (count - 1) / 2;
  const meanY = samples.reduce((sum, y) => sum + y, 0) / count;
  let squares = 0;
  let products = 0;
  for (const [x, y] of samples.entries()) {
    squares += (x - meanX) ** 2;
    products += (x - meanX) * (y - meanY);
  }
  const slope = products / squares;
  const rest = samples.reduce((sum, y, x) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const error = Math.sqrt(rest / (count - 2) / squares);
  const isFlat = slope * count <= settlingBytes || slope <= significance * error;
  return { samples, slope, error, isFlat };
}
