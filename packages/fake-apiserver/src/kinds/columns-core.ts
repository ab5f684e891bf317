import { ageColumn, builtinColumn, nameColumn } from "./columns.ts";
import { ageOf } from "./duration.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
import { count, field, objects, size, text } from "../base/read-fields.ts";

/** What `kubectl get configmaps` shows. */
export const configMapColumns: readonly PrinterColumn[] = [
  builtinColumn("Data", "Number of entries of data and binaryData.", (object) =>
    String(size(object, "data") + size(object, "binaryData")),
  ),
  ageColumn,
];

/** What `kubectl get secrets` shows. */
export const secretColumns: readonly PrinterColumn[] = [
  builtinColumn("Type", "Used to facilitate programmatic handling of secret data.", (object) =>
    text(object, "type"),
  ),
  builtinColumn("Data", "Number of entries of data.", (object) => String(size(object, "data"))),
  ageColumn,
];

/** What `kubectl get serviceaccounts` shows. */
export const serviceAccountColumns: readonly PrinterColumn[] = [
  builtinColumn("Secrets", "Number of secrets of the account.", (object) =>
    String(objects(object, "secrets").length),
  ),
  ageColumn,
];

/** What `kubectl get events` shows; the name is only one of the wide columns. */
export const eventColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Last Seen",
    "The time at which the most recent occurrence of this event was recorded.",
    lastSeen,
  ),
  builtinColumn(
    "Type",
    "Type of this event (Normal, Warning), new types could be added in the future.",
    (event) => text(event, "type"),
  ),
  builtinColumn(
    "Reason",
    "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    (event) => text(event, "reason"),
  ),
  builtinColumn("Object", "The object that this event is about.", involved),
  builtinColumn(
    "Subobject",
    "If referring to a piece of an object instead of an entire object, this should contain a valid JSON/Go field access statement.",
    (event) => text(event, "involvedObject", "fieldPath"),
    { wide: true },
  ),
  builtinColumn(
    "Source",
    "The component reporting this event. Should be a short machine understandable string.",
    source,
    { wide: true },
  ),
  builtinColumn(
    "Message",
    "A human-readable description of the status of this operation.",
    (event) => text(event, "message").trim(),
  ),
  builtinColumn("First Seen", "The time at which the event was first recorded.", firstSeen, {
    wide: true,
  }),
  builtinColumn("Count", "The number of times this event has occurred.", occurrences, {
    wide: true,
  }),
  { ...nameColumn, priority: 1 },
];

function involved(event: ApiObject): string {
  const kind = text(event, "involvedObject", "kind").toLowerCase();
  const name = text(event, "involvedObject", "name");
  return kind === "" ? name : `${kind}/${name}`;
}

function source(event: ApiObject): string {
  const component = text(event, "source", "component") || text(event, "reportingComponent");
  const host = text(event, "source", "host") || text(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}

function firstSeen(event: ApiObject, now: number): string {
  return ageOf(text(event, "firstTimestamp") || text(event, "eventTime"), now);
}

function lastSeen(event: ApiObject, now: number): string {
  const seriesTime = text(event, "series", "lastObservedTime");
  const last = seriesTime || text(event, "lastTimestamp");
  return last === "" ? firstSeen(event, now) : ageOf(last, now);
}

function occurrences(event: ApiObject): string {
  const series = field(event, "series", "count");
  if (typeof series === "number") return String(series);
  return String(Math.max(1, count(event, "count")));
}
