import type { Clock } from "@listwatch/core-fifo/base";
import { demandMilliseconds } from "../inputs/control-input-error.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import type { EventLine } from "../stream/event-line.ts";
import { type EventMatch, matchesEvent, readEventMatch } from "../stream/event-match.ts";
import type { LineGate } from "../stream/line-stage.ts";
import type { LegalFault } from "./fault.ts";

/** Lets each matching event wait, and what is behind it too. */
export interface DelayEventsAction {
  readonly type: "delayEvents";
  readonly ms: number;
  /** @default every event */
  readonly match?: EventMatch | undefined;
}

/** The fault `delayEvents`. */
export const delayEvents: LegalFault<DelayEventsAction> = {
  type: "delayEvents",
  read: (reader) => ({
    type: "delayEvents",
    ms: reader.number("ms"),
    match: readEventMatch(reader.reader("match")),
  }),
  check: (action) => demandMilliseconds(action.ms, "action.ms"),
  apply: ({ match = {}, ms }, target) =>
    target.onBody((body) => {
      body.addGate(delayGate(body, match, ms, target.clock));
    }),
};

/** A gate for matching events; the time counts from when an event is the first that waits. */
function delayGate(body: ControlledStream, match: EventMatch, ms: number, clock: Clock): LineGate {
  const seen = new WeakSet<EventLine>();
  const released = new WeakSet<EventLine>();
  return (line) => {
    if (released.has(line) || !matchesEvent(match, line)) return false;
    if (seen.has(line)) return true;
    seen.add(line);
    clock.setTimeout(() => {
      released.add(line);
      body.wake();
    }, ms);
    return true;
  };
}
