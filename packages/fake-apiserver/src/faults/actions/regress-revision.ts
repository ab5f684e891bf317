import { demandInteger } from "../inputs/control-input-error.ts";
import { type EventMatch, matchesEvent, readEventMatch } from "../stream/event-match.ts";
import type { IllegalFault } from "./fault.ts";

/** Sends matching events with a resourceVersion that is too low. */
export interface RegressRevisionAction {
  readonly type: "regressRevision";
  readonly by: number;
  /** @default every event */
  readonly match?: EventMatch | undefined;
}

/** The fault `regressRevision`. */
export const regressRevision: IllegalFault<RegressRevisionAction> = {
  type: "regressRevision",
  read: (reader) => {
    const match = readEventMatch(reader.reader("match"));
    return { type: "regressRevision", by: reader.number("by"), match };
  },
  check: (action) => demandInteger(action.by, 0, "action.by"),
  apply: ({ by, match = {} }, body) =>
    body.addFilter((event) => {
      if (!matchesEvent(match, event)) return [event];
      return [event.withRevision(Math.max(1, event.revision - by))];
    }),
};
