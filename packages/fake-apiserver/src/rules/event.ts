import { isJsonEqual, isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { byteLength, goStruct } from "../base/go-text.ts";
import { count, text } from "../base/read-fields.ts";
import { invalid, invalidShown, required } from "../validation/field-errors.ts";
import { checkQualifiedName } from "../validation/names.ts";
import { checkImmutable, checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

// pkg/apis/core/validation/events.go: `ReportingInstanceLengthLimit` and others, `NoteLengthLimit`.
const maxNameBytes = 128;
const maxNoteBytes = 1024;

/** Rules for Events of the core group: only the place is checked, unless they have a time. */
export const coreEventRules: ObjectRules = rulesOf((event) => [
  ...checkPlace(event, text(event, "involvedObject", "namespace")),
  ...(isTimed(event) ? checkReport(event, "reportingComponent") : []),
]);

/** Rules for Events of events.k8s.io in their stored form, that of the core group. */
export const eventRules: ObjectRules = {
  create: (event) => [
    ...checkAny(event),
    ...checkSeries(event),
    ...(isTimed(event) ? [] : [required("eventTime")]),
    ...checkType(text(event, "type")),
    ...checkOldFields(event),
  ],
  // Only the series and the metadata of an Event may change.
  update: (event, stored) => [
    ...checkAny(event),
    ...(isJsonEqual(event["series"], stored["series"]) ? [] : checkSeries(event)),
    ...checkReference("involvedObject", event, stored),
    ...checkImmutable("reason", text(event, "reason"), text(stored, "reason")),
    ...checkImmutable("message", text(event, "message"), text(stored, "message")),
    ...checkSource(event, stored),
    ...checkTime("firstTimestamp", event, stored),
    ...checkTime("lastTimestamp", event, stored),
    ...checkImmutable("count", count(event, "count"), count(stored, "count")),
    ...checkImmutable("type", text(event, "type"), text(stored, "type")),
    ...checkTime("eventTime", event, stored),
    ...checkImmutable("action", text(event, "action"), text(stored, "action")),
    ...checkReference("related", event, stored),
    ...checkImmutable(
      "reportingController",
      text(event, "reportingComponent"),
      text(stored, "reportingComponent"),
    ),
    ...checkImmutable(
      "reportingInstance",
      text(event, "reportingInstance"),
      text(stored, "reportingInstance"),
    ),
  ],
};

function checkAny(event: ApiObject): readonly FieldError[] {
  return [
    ...checkPlace(event, text(event, "involvedObject", "namespace")),
    ...(isTimed(event) ? checkReport(event, "reportingController") : []),
  ];
}

function checkSeries({ series }: ApiObject): readonly FieldError[] {
  if (!isRecord(series)) return [];
  const least = 2;
  return [
    ...(count(series, "count") < least
      ? [invalid("series.count", "", `should be at least ${least}`)]
      : []),
    ...(text(series, "lastObservedTime") === "" ? [required("series.lastObservedTime")] : []),
  ];
}

function checkReference(
  field: "involvedObject" | "related",
  event: ApiObject,
  stored: ApiObject,
): readonly FieldError[] {
  const [now, before] = [event[field], stored[field]];
  if (isJsonEqual(now ?? null, before ?? null)) return [];
  // The Go type has these fields without names for JSON.
  const names = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  const shown = isRecord(now)
    ? goStruct(Object.fromEntries(names.map((name) => [goFieldName(name), text(now, name)])))
    : "null";
  return [invalidShown(field, shown, "field is immutable")];
}

function checkSource(event: ApiObject, stored: ApiObject): readonly FieldError[] {
  const [now, before] = [event, stored].map((one) => ({
    Component: text(one, "source", "component"),
    Host: text(one, "source", "host"),
  }));
  if (isJsonEqual(now, before)) return [];
  return [invalidShown("source", goStruct(now ?? {}), "field is immutable")];
}

function checkTime(field: string, event: ApiObject, stored: ApiObject): readonly FieldError[] {
  return checkImmutable(field, event[field] ?? null, stored[field] ?? null);
}

function goFieldName(name: string): string {
  if (name === "uid") return "UID";
  if (name === "apiVersion") return "APIVersion";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function isTimed({ eventTime }: ApiObject): boolean {
  return eventTime !== undefined && eventTime !== null;
}

// An Event is where the object is that it is about; Events about cluster-scoped ones, in `default`.
// Those that have a time are not looked at as closely.
function checkPlace(event: ApiObject, about: string): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const isSystem = namespace === "default" || (isTimed(event) && namespace === "kube-system");
  const isThere = about === "" ? isSystem : isTimed(event) || namespace === about;
  if (isThere) return [];
  return [invalid("involvedObject.namespace", about, "does not match event.namespace")];
}

// Each group calls the controller by another name.
function checkReport(
  event: ApiObject,
  controllerField: "reportingComponent" | "reportingController",
): readonly FieldError[] {
  const controller = text(event, "reportingComponent");
  const errors = controller === "" ? [required(controllerField)] : [];
  errors.push(...checkText(controllerField, controller, checkQualifiedName));
  for (const name of ["reportingInstance", "action", "reason"]) {
    const value = text(event, name);
    if (value === "") errors.push(required(name));
    errors.push(...checkLength(name, value, maxNameBytes));
  }
  return [...errors, ...checkLength("message", text(event, "message"), maxNoteBytes)];
}

function checkLength(field: string, value: string, max: number): readonly FieldError[] {
  if (byteLength(value) <= max) return [];
  return [invalid(field, "", `can have at most ${max} characters`)];
}

function checkType(type: string): readonly FieldError[] {
  if (type === "Normal" || type === "Warning") return [];
  return [invalid("type", "", `has invalid value: ${type}`)];
}

// Fields that only clients of the core group set.
function checkOldFields(event: ApiObject): readonly FieldError[] {
  const source = recordOf(event["source"]);
  const given: readonly (readonly [string, boolean])[] = [
    ["firstTimestamp", text(event, "firstTimestamp") !== ""],
    ["lastTimestamp", text(event, "lastTimestamp") !== ""],
    ["count", count(event, "count") !== 0],
    ["source", text(source, "component") !== "" || text(source, "host") !== ""],
  ];
  return given.filter(([, isSet]) => isSet).map(([name]) => invalid(name, "", "needs to be unset"));
}
