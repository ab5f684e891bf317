/** Returns the bytes of live objects; NaN if the runtime cannot collect on demand. */
export function heapBytes(): number {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function") return Number.NaN;
  // The second run collects objects that finalizers of the first one released.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
