import type { ApiObject, PrinterColumn, StoredAs } from "../api/resource-definition.ts";
import { eventColumns } from "./columns-core.ts";

/**
 * What events.k8s.io/v1 calls the fields of a core/v1 Event; all others have the same name in both
 * (k8s.io/kubernetes pkg/apis/events/v1, `Convert_v1_Event_To_core_Event` and back).
 */
const CORE_NAMES: ReadonlyMap<string, string> = new Map([
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
]);

const EVENTS_NAMES: ReadonlyMap<string, string> = new Map(
  [...CORE_NAMES].map(([name, coreName]) => [coreName, name]),
);

/**
 * The Events of events.k8s.io are those of the core group, and are stored as such (api-server
 * §1.17).
 */
export const storedAsCoreEvents: StoredAs = {
  group: "",
  plural: "events",
  toStored: (object) => renamed(object, CORE_NAMES, EVENTS_NAMES),
  fromStored: (object) => renamed(object, EVENTS_NAMES, CORE_NAMES),
  storedField: (path) => {
    const [field = "", ...rest] = path.split(".");
    return [CORE_NAMES.get(field) ?? field, ...rest].join(".");
  },
};

/**
 * What `kubectl get events.events.k8s.io` shows: the same as of the core group, because the server
 * prints what is stored.
 */
export const eventsGroupColumns: readonly PrinterColumn[] = eventColumns.map(ofStored);

function ofStored(column: PrinterColumn): PrinterColumn {
  const { cell } = column;
  if (typeof cell === "string") return column;
  return { ...column, cell: (event, now) => cell(storedAsCoreEvents.toStored(event), now) };
}

/**
 * Fields that only the other version has are unknown to this one; they are dropped, so that no two
 * fields get one name.
 */
function renamed(
  object: ApiObject,
  names: ReadonlyMap<string, string>,
  unknown: ReadonlyMap<string, string>,
): ApiObject {
  const { metadata, ...fields } = object;
  const entries = Object.entries(fields)
    .filter(([name]) => !unknown.has(name))
    .map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { metadata, ...Object.fromEntries(entries) };
}
