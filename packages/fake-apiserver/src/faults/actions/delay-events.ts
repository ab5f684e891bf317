import type { Clock } from "@listwatch/core-fifo/base";
import { demandMilliseconds } from "../inputs/control-input-error.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import type { WatchEvent } from "../stream/watch-event.ts";
import { type EventMatch, matchesEvent, readEventMatch } from "../stream/event-match.ts";
import type { EventGate } from "../stream/event-stage.ts";
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
function delayGate(body: ControlledStream, match: EventMatch, ms: number, clock: Clock): EventGate {
  const seen = new WeakSet<WatchEvent>();
  const released = new WeakSet<WatchEvent>();
  return (event) => {
    if (released.has(event) || !matchesEvent(match, event)) return false;
    if (seen.has(event)) return true;
    seen.add(event);
    clock.setTimeout(() => {
      released.add(event);
      body.wake();
    }, ms);
    return true;
  };
}
