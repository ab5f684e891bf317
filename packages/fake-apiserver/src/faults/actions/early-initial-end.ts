import type { WatchEvent } from "../stream/watch-event.ts";
import type { EventFilter } from "../stream/event-stage.ts";
import type { IllegalFault } from "./fault.ts";

/** Sends the bookmark that ends the initial events one event too early. */
export interface EarlyInitialEndAction {
  readonly type: "earlyInitialEnd";
}

/** The fault `earlyInitialEnd`. */
export const earlyInitialEnd: IllegalFault<EarlyInitialEndAction> = {
  type: "earlyInitialEnd",
  read: () => ({ type: "earlyInitialEnd" }),
  check: () => {},
  apply: (_action, body) => body.addFilter(overtakeLastEvent()),
};

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
