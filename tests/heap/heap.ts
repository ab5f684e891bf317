import { getHeapSpaceStatistics } from "node:v8";

/** Rounds that are measured, after those that warm caches and compiled code. */
const rounds = 12;
const warmUpRounds = 6;

/** Growth over all measured rounds that is no leak: caches of the engine still settle. */
const settlingBytes = 96 * 1024;

/**
 * Where V8 keeps objects. It compiles for minutes, in steps of up to 250 kB, into spaces of their
 * own.
 */
const objectSpaces = new Set([
  "large_object_space",
  "new_large_object_space",
  "new_space",
  "old_space",
]);

/** Slopes of less than this many standard errors are noise. */
const significance = 4;

/** How the heap developed over the rounds of a scenario. */
export interface HeapTrend {
  /** Bytes in use after each measured round. */
  readonly samples: readonly number[];
  /** Least-squares growth from one round to the next, in bytes. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly error: number;
  readonly isFlat: boolean;
}

/**
 * Runs a scenario round by round and measures what is in use after each. Looks at bytes only, not
 * at time, so that a busy machine changes nothing.
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

/** Bytes of objects and buffers in use when everything that can be collected is. */
async function usedBytes(): Promise<number> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Cannot measure the heap: expected node --expose-gc");
  // Finalizers and what they hold need turns of the event loop, and another collection.
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

/** The line through the samples with the least squares. */
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
