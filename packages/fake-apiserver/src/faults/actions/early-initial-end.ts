import type { EventLine } from "../stream/event-line.ts";
import type { LineFilter } from "../stream/line-stage.ts";
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
function overtakeLastEvent(): LineFilter {
  let last: EventLine | undefined;
  let done = false;
  return (line) => {
    if (done) return [line];
    if (!line.isInitialEnd) {
      const before = last;
      last = line;
      return before === undefined ? [] : [before];
    }
    done = true;
    return last === undefined ? [line] : [line, last];
  };
}
