/** Returns the bytes of live objects; NaN if the runtime cannot collect on demand. */
export function heapBytes(): number {
  const collect = collector();
  if (collect === undefined) return Number.NaN;
  // The second run collects objects that finalizers of the first one released.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns the full collection of V8 with `--expose-gc`, or of Bun. */
function collector(): (() => void) | undefined {
  const gc: unknown = Reflect.get(globalThis, "gc");
  if (typeof gc === "function") return () => void gc();
  const bun: unknown = Reflect.get(globalThis, "Bun");
  if (typeof bun !== "object" || bun === null) return undefined;
  const collectBun: unknown = Reflect.get(bun, "gc");
  return typeof collectBun === "function" ? () => void collectBun(true) : undefined;
}
