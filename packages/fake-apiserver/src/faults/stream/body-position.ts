import type { BodyPosition } from "../../control/fault-action.ts";
import { demandInteger } from "../inputs/demand.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { ControlledStream } from "./controlled-stream.ts";

/** @throws {@link ControlInputError} for a position that cannot be reached */
export function checkBodyPosition({ events = 0, bytes = 0 }: BodyPosition = {}): void {
  demandInteger(events, 0, "action.after.events");
  demandInteger(bytes, 0, "action.after.bytes");
}

/** Reads the field `after` of an action. */
export function readBodyPosition(action: JsonReader): BodyPosition {
  const reader = action.reader("after");
  const position = { events: reader.number("events", 0), bytes: reader.number("bytes", 0) };
  reader.end();
  return position;
}

/** Calls back when the body has come to the position; at once without a position. */
export function whenReached(
  body: ControlledStream,
  { events = 0, bytes = 0 }: BodyPosition = {},
  act: () => void,
): void {
  body.addTrigger({ events, bytes, fire: act });
}
