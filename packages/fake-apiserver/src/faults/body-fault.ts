import type { Clock } from "@listwatch/core-fifo/base";
import type { ControlledStream, LineGate } from "./stream/controlled-stream.ts";
import { EventLine } from "./stream/event-line.ts";
import type { BodyAction, BodyPosition } from "./fault-action.ts";
import { statusObject } from "./inputs/status-fault.ts";
import { matchesEvent, type EventMatch } from "./control/watch-control.ts";

/** Puts a fault on the body of an answer. */
export function applyBodyAction(stream: ControlledStream, action: BodyAction, clock: Clock): void {
  switch (action.type) {
    case "end":
      return after(stream, action.after, () => stream.end());
    case "resetBody":
      return after(stream, action.after, () => stream.reset());
    case "truncate":
      return after(stream, action.after, () => stream.cutAt(action.at));
    case "stall":
      return after(stream, action.after, () => stream.stall());
    case "slow":
      return after(stream, action.after, () => stream.slow(action.bytesPerSecond));
    case "split":
      return stream.reshape(action.shape);
    case "delayEvents":
      stream.addGate(delay(stream, action.match ?? {}, action.ms, clock));
      return undefined;
    case "errorEvent":
      return after(stream, action.after, () => {
        stream.inject(EventLine.of("ERROR", statusObject(action.status)));
        stream.end();
      });
  }
}

function after(stream: ControlledStream, position: BodyPosition = {}, fire: () => void): void {
  stream.addTrigger({ events: position.events ?? 0, bytes: position.bytes ?? 0, fire });
}

/**
 * A gate that each matching event waits at for so long, counted from when it is the first that
 * waits.
 */
function delay(stream: ControlledStream, match: EventMatch, ms: number, clock: Clock): LineGate {
  const seen = new WeakSet<EventLine>();
  const released = new WeakSet<EventLine>();
  return (line) => {
    if (released.has(line) || !matchesEvent(match, line)) return false;
    if (seen.has(line)) return true;
    seen.add(line);
    clock.setTimeout(() => {
      released.add(line);
      stream.wake();
    }, ms);
    return true;
  };
}
