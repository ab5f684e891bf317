import type { Clock } from "@listwatch/core-fifo/base";
import type { BodyPosition, EventMatch } from "../../control/fault-action.ts";
import { demandInteger, demandMilliseconds } from "../inputs/demand.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import { checkCut, readCut } from "../inputs/cut-position.ts";
import { checkStatus, readStatus } from "../inputs/status-fault.ts";
import { checkPace, checkShape, readShape } from "../inputs/stream-shape.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { matchesEvent, readEventMatch, type WatchEvent } from "../stream/watch-event.ts";
import type { EventGate } from "../stream/event-stage.ts";
import type { LegalFaults } from "./fault.ts";

type BodyFault =
  | "end"
  | "resetBody"
  | "truncate"
  | "stall"
  | "slow"
  | "split"
  | "delayEvents"
  | "errorEvent";

/** Faults of the body of an answer. */
export const bodyFaults: LegalFaults<BodyFault> = {
  end: {
    type: "end",
    endsAnswer: true,
    read: (reader) => ({ type: "end", after: readBodyPosition(reader) }),
    check: (action) => checkBodyPosition(action.after),
    apply: ({ after }, target) =>
      target.onBody((body) => whenReached(body, after, () => body.end())),
  },
  resetBody: {
    type: "resetBody",
    endsAnswer: true,
    read: (reader) => ({ type: "resetBody", after: readBodyPosition(reader) }),
    check: (action) => checkBodyPosition(action.after),
    apply: ({ after }, target) =>
      target.onBody((body) => whenReached(body, after, () => body.reset())),
  },
  truncate: {
    type: "truncate",
    endsAnswer: true,
    read: (reader) => ({
      type: "truncate",
      after: readBodyPosition(reader),
      at: readCut(reader.reader("at")),
    }),
    check: (action) => {
      checkCut(action.at);
      checkBodyPosition(action.after);
    },
    apply: ({ after, at }, target) =>
      target.onBody((body) => whenReached(body, after, () => body.cutAt(at))),
  },
  stall: {
    type: "stall",
    endsAnswer: true,
    read: (reader) => ({ type: "stall", after: readBodyPosition(reader) }),
    check: (action) => checkBodyPosition(action.after),
    apply: ({ after }, target) =>
      target.onBody((body) => whenReached(body, after, () => body.stall())),
  },
  slow: {
    type: "slow",
    read: (reader) => ({
      type: "slow",
      after: readBodyPosition(reader),
      bytesPerSecond: reader.number("bytesPerSecond"),
    }),
    check: (action) => {
      checkPace(action.bytesPerSecond);
      checkBodyPosition(action.after);
    },
    apply: ({ after, bytesPerSecond }, target) =>
      target.onBody((body) => whenReached(body, after, () => body.slow(bytesPerSecond))),
  },
  split: {
    type: "split",
    read: (reader) => ({ type: "split", shape: readShape(reader.reader("shape")) }),
    check: (action) => checkShape(action.shape),
    apply: ({ shape }, target) => target.onBody((body) => body.reshape(shape)),
  },
  delayEvents: {
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
  },
  errorEvent: {
    type: "errorEvent",
    endsAnswer: true,
    read: (reader) => ({
      type: "errorEvent",
      after: readBodyPosition(reader),
      status: readStatus(reader.reader("status")),
    }),
    check: (action) => {
      checkStatus(action.status, "action.status");
      checkBodyPosition(action.after);
    },
    apply: ({ after, status }, target) =>
      target.onBody((body) => whenReached(body, after, () => body.endWithError(status))),
  },
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

/** @throws {@link ControlInputError} for a position that cannot be reached */
function checkBodyPosition({ events = 0, bytes = 0 }: BodyPosition = {}): void {
  demandInteger(events, 0, "action.after.events");
  demandInteger(bytes, 0, "action.after.bytes");
}

/** Reads the field `after` of an action. */
function readBodyPosition(action: JsonReader): BodyPosition {
  const reader = action.reader("after");
  const position = { events: reader.number("events", 0), bytes: reader.number("bytes", 0) };
  reader.end();
  return position;
}

/** Calls back when the body has come to the position; at once without a position. */
function whenReached(
  body: ControlledStream,
  { events = 0, bytes = 0 }: BodyPosition = {},
  act: () => void,
): void {
  body.addTrigger({ events, bytes, fire: act });
}
