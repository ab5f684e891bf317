import type { Suite } from "./framework/suite.ts";

export const suites: Readonly<Record<string, () => Promise<{ readonly suite: Suite }>>> = {
  "core-fifo": () => import("./core-fifo.ts"),
  "store-indexer": () => import("./store-indexer/suite.ts"),
  reflector: () => import("./reflector/suite.ts"),
  "shared-informer": () => import("./shared-informer.ts"),
  "fake-apiserver": () => import("./fake-apiserver/suite.ts"),
  workqueue: () => import("./workqueue.ts"),
  startup: () => import("./startup/suite.ts"),
  streams: () => import("./streams/suite.ts"),
};
