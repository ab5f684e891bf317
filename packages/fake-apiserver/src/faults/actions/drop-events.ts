import { type EventMatch, matchesEvent, readEventMatch } from "../stream/event-match.ts";
import type { IllegalFault } from "./fault.ts";

/** Never sends matching events. */
export interface DropEventsAction {
  readonly type: "dropEvents";
  /** @default every event */
  readonly match?: EventMatch | undefined;
}

/** The fault `dropEvents`. */
export const dropEvents: IllegalFault<DropEventsAction> = {
  type: "dropEvents",
  read: (reader) => ({ type: "dropEvents", match: readEventMatch(reader.reader("match")) }),
  check: () => {},
  apply: ({ match = {} }, body) =>
    body.addFilter((event) => (matchesEvent(match, event) ? [] : [event])),
};
