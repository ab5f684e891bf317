import { coreEventRules, eventRules } from "../rules/event.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { PrinterColumn, StoredAs } from "../api/resource-definition.ts";
import { count, field, text } from "../base/read-fields.ts";
import { builtinColumn, nameColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { ageOf } from "./duration.ts";
import { checkPathSegment } from "../validation/names.ts";
import { nothingAgain } from "./metadata-repeats.ts";

const columns: readonly PrinterColumn[] = [
  builtinColumn("Last Seen", lastSeen),
  builtinColumn("Type", (event) => text(event, "type")),
  builtinColumn("Reason", (event) => text(event, "reason")),
  builtinColumn("Object", involved),
  builtinColumn("Subobject", (event) => text(event, "involvedObject", "fieldPath"), { wide: true }),
  builtinColumn("Source", source, { wide: true }),
  builtinColumn("Message", (event) => text(event, "message").trim()),
  builtinColumn("First Seen", firstSeen, {
    wide: true,
  }),
  builtinColumn("Count", occurrences, {
    wide: true,
  }),
  { ...nameColumn, priority: 1 },
];

/** Event of the core group. */
export const coreEventKind: Kind = defineKind({
  version: "v1",
  kind: "Event",
  dependents: "none",
  // Nothing but what holds for all objects is checked of the metadata.
  nameRule: checkPathSegment,
  metadataRepeats: nothingAgain,
  rules: coreEventRules,
  unconditionalUpdate: true,
  shortNames: ["ev"],
  createOnUpdate: true,
  selectableFields: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    { path: "source", read: reporter },
    "type",
  ],
  columns,
});

/**
 * Names of core/v1 Event fields in events.k8s.io/v1; all others are the same (k8s.io/kubernetes
 * pkg/apis/events/v1, `Convert_v1_Event_To_core_Event` and back).
 */
const coreNames: ReadonlyMap<string, string> = new Map([
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
]);

const eventsNames: ReadonlyMap<string, string> = new Map(
  [...coreNames].map(([name, coreName]) => [coreName, name]),
);

/** The Events of events.k8s.io are those of the core group, and are stored as such. */
const storedAsCoreEvents: StoredAs = {
  group: "",
  plural: "events",
  toStored: (object) => renamed(object, coreNames, eventsNames),
  // The fields of owners are compared in this version, whichever one the objects have.
  fromStored: (object) =>
    object["regarding"] !== undefined && object["involvedObject"] === undefined
      ? object
      : withoutEmpty(renamed(object, eventsNames, coreNames)),
  storedField: (path) => {
    const [first = "", ...rest] = path.split(".");
    return [coreNames.get(first) ?? first, ...rest].join(".");
  },
};

/** Event of events.k8s.io. */
export const eventKind: Kind = defineKind({
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  dependents: "none",
  rules: eventRules,
  unconditionalUpdate: true,
  shortNames: ["ev"],
  createOnUpdate: true,
  // k8s.io/kubernetes pkg/apis/events/v1 `AddFieldLabelConversionsForEvent`.
  selectableFields: [
    "reason",
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reportingController",
    { path: "source", read: reporter },
    "type",
  ],
  // The same columns as in the core group, because the server prints what is stored.
  columns: columns.map(ofStored),
  storedAs: storedAsCoreEvents,
});

// The core group writes a report that there is not as an empty one; this group leaves it out.
function withoutEmpty(event: ApiObject): ApiObject {
  const { reportingController, reportingInstance, ...rest } = event;
  return {
    ...rest,
    ...(reportingController !== "" && { reportingController }),
    ...(reportingInstance !== "" && { reportingInstance }),
  };
}

/** The source that selectors compare, from the stored form, which is that of the core group. */
function reporter(event: ApiObject): string {
  return text(event, "source", "component") || text(event, "reportingComponent");
}

function involved(event: ApiObject): string {
  const kind = text(event, "involvedObject", "kind").toLowerCase();
  const name = text(event, "involvedObject", "name");
  return kind === "" ? name : `${kind}/${name}`;
}

function source(event: ApiObject): string {
  const component = reporter(event);
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

function occurrences(event: ApiObject): number {
  const series = field(event, "series", "count");
  return typeof series === "number" ? series : Math.max(1, count(event, "count"));
}

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
