import { inRealTime } from "@listwatch/core-fifo/base";

/**
 * Returns a function that loads a part of the server when it is first called, and the same promise
 * from then on. Simulated clocks wait for it.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => (loading ??= inRealTime(load()));
}
