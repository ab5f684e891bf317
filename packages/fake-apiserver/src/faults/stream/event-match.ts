import type { EventMatch } from "../../control/fault-action.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { WatchEvent } from "./watch-event.ts";

/** True if every given field of the match fits the event. */
export function matchesEvent(match: EventMatch, event: WatchEvent): boolean {
  return (
    (match.type === undefined || match.type === event.type) &&
    (match.namespace === undefined || match.namespace === event.namespace) &&
    (match.name === undefined || match.name === event.name)
  );
}

/** Reads a match from JSON, all of whose fields belong to it. */
export function readEventMatch(reader: JsonReader): EventMatch {
  const types = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"] as const;
  const match: EventMatch = {
    ...(reader.has("type") ? { type: reader.choice("type", types) } : {}),
    ...(reader.has("namespace") ? { namespace: reader.text("namespace") } : {}),
    ...(reader.has("name") ? { name: reader.text("name") } : {}),
  };
  reader.end();
  return match;
}
