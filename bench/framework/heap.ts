/** What is alive, in bytes; NaN in a runtime that cannot be told to collect. */
export function heapBytes(): number {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function") return Number.NaN;
  // The second run collects what finalisers of the first let go.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
