import { type EventMatch, matchesEvent, readEventMatch } from "../stream/event-match.ts";
import type { IllegalFault } from "./fault.ts";

/** Sends matching events twice. */
export interface DuplicateEventsAction {
  readonly type: "duplicateEvents";
  /** @default every event */
  readonly match?: EventMatch | undefined;
}

/** The fault `duplicateEvents`. */
export const duplicateEvents: IllegalFault<DuplicateEventsAction> = {
  type: "duplicateEvents",
  read: (reader) => ({ type: "duplicateEvents", match: readEventMatch(reader.reader("match")) }),
  check: () => {},
  apply: ({ match = {} }, body) =>
    body.addFilter((event) => (matchesEvent(match, event) ? [event, event] : [event])),
};
