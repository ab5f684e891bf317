import type { WatchEvent } from "../stream/watch-event.ts";
import { type EventMatch, matchesEvent, readEventMatch } from "../stream/event-match.ts";
import type { EventFilter } from "../stream/event-stage.ts";
import type { IllegalFault } from "./fault.ts";

/** Sends a matching event after the one behind it. */
export interface ReorderEventsAction {
  readonly type: "reorderEvents";
  /** @default every event */
  readonly match?: EventMatch | undefined;
}

/** The fault `reorderEvents`. */
export const reorderEvents: IllegalFault<ReorderEventsAction> = {
  type: "reorderEvents",
  read: (reader) => ({ type: "reorderEvents", match: readEventMatch(reader.reader("match")) }),
  check: () => {},
  apply: ({ match = {} }, body) => body.addFilter(swapWithNext(match)),
};

function swapWithNext(match: EventMatch): EventFilter {
  let held: WatchEvent | undefined;
  return (event) => {
    if (held !== undefined) {
      const both = [event, held];
      held = undefined;
      return both;
    }
    if (!matchesEvent(match, event)) return [event];
    held = event;
    return [];
  };
}
