import type { EventLine } from "../stream/event-line.ts";
import { type EventMatch, matchesEvent, readEventMatch } from "../stream/event-match.ts";
import type { LineFilter } from "../stream/line-stage.ts";
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

function swapWithNext(match: EventMatch): LineFilter {
  let held: EventLine | undefined;
  return (line) => {
    if (held !== undefined) {
      const both = [line, held];
      held = undefined;
      return both;
    }
    if (!matchesEvent(match, line)) return [line];
    held = line;
    return [];
  };
}
