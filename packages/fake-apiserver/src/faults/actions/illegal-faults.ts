import type { EventMatch } from "../../control/fault-action.ts";
import { demandInteger } from "../inputs/demand.ts";
import { matchesEvent, readEventMatch, type WatchEvent } from "../stream/watch-event.ts";
import type { EventFilter } from "../stream/event-stage.ts";
import type { IllegalFaults } from "./fault.ts";

/** Violations of the protocol on the stream of a watch. */
export const watchFaults: IllegalFaults = {
  duplicateEvents: {
    type: "duplicateEvents",
    read: (reader) => ({ type: "duplicateEvents", match: readEventMatch(reader.reader("match")) }),
    check: () => {},
    apply: ({ match = {} }, body) =>
      body.addFilter((event) => (matchesEvent(match, event) ? [event, event] : [event])),
  },
  reorderEvents: {
    type: "reorderEvents",
    read: (reader) => ({ type: "reorderEvents", match: readEventMatch(reader.reader("match")) }),
    check: () => {},
    apply: ({ match = {} }, body) => body.addFilter(swapWithNext(match)),
  },
  regressRevision: {
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
  },
  dropEvents: {
    type: "dropEvents",
    read: (reader) => ({ type: "dropEvents", match: readEventMatch(reader.reader("match")) }),
    check: () => {},
    apply: ({ match = {} }, body) =>
      body.addFilter((event) => (matchesEvent(match, event) ? [] : [event])),
  },
  earlyInitialEnd: {
    type: "earlyInitialEnd",
    read: () => ({ type: "earlyInitialEnd" }),
    check: () => {},
    apply: (_action, body) => body.addFilter(overtakeLastEvent()),
  },
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

/** Keeps one event back all the time, so that the bookmark can overtake it. */
function overtakeLastEvent(): EventFilter {
  let last: WatchEvent | undefined;
  let done = false;
  return (event) => {
    if (done) return [event];
    if (!event.isInitialEnd) {
      const before = last;
      last = event;
      return before === undefined ? [] : [before];
    }
    done = true;
    return last === undefined ? [event] : [event, last];
  };
}
