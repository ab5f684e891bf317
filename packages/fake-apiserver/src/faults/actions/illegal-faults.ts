/** The faults that no real server has, one line each. */
export { duplicateEvents } from "./duplicate-events.ts";
export { reorderEvents } from "./reorder-events.ts";
export { regressRevision } from "./regress-revision.ts";
export { dropEvents } from "./drop-events.ts";
export { earlyInitialEnd } from "./early-initial-end.ts";
