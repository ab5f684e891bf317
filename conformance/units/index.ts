import type { Unit } from "../framework/unit.ts";

/**
 * Loads the replayer of each unit by the name of its trace file. Each is a module, `<name>.ts`,
 * with the export `unit`, which is loaded on demand.
 */
export const units: Readonly<Record<string, () => Promise<{ readonly unit: Unit }>>> = {
  backoff: () => import("./backoff.ts"),
  "delta-fifo": () => import("./delta-fifo.ts"),
  "expiration-store": () => import("./expiration-store.ts"),
  "field-selectors": () => import("./field-selectors.ts"),
  fifo: () => import("./fifo.ts"),
  heap: () => import("./heap.ts"),
  keys: () => import("./keys.ts"),
  "label-selectors": () => import("./label-selectors.ts"),
  listers: () => import("./listers.ts"),
  "mutation-cache": () => import("./mutation-cache.ts"),
  "process-deltas": () => import("./process-deltas.ts"),
  "rate-limiters": () => import("./rate-limiters.ts"),
  "real-fifo": () => import("./real-fifo.ts"),
  reflector: () => import("./reflector.ts"),
  "resource-version": () => import("./resource-version.ts"),
  "shared-informer": () => import("./shared-informer.ts"),
  store: () => import("./store.ts"),
  "undelta-store": () => import("./undelta-store.ts"),
  workqueue: () => import("./workqueue.ts"),
};
