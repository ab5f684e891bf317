import {
  isJsonEqual,
  isRecord,
  type JsonObject,
  recordOf,
  stringOf,
} from "@listwatch/core-fifo/base";
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
  update: (event, stored) => [
    ...checkAny(event),
    ...(isJsonEqual(event["series"], stored["series"]) ? [] : checkSeries(event)),
    ...checkUnchanged(event, stored),
  ],
};

const orNull = (value: unknown): unknown => value ?? null;

// Go's types of these have no names for JSON.
const sourceOf = (value: unknown): JsonObject => ({
  Component: text(value, "component"),
  Host: text(value, "host"),
});
const referenceOf = (value: unknown): JsonObject | null =>
  isRecord(value)
    ? {
        Kind: text(value, "kind"),
        Namespace: text(value, "namespace"),
        Name: text(value, "name"),
        UID: text(value, "uid"),
        APIVersion: text(value, "apiVersion"),
        ResourceVersion: text(value, "resourceVersion"),
        FieldPath: text(value, "fieldPath"),
      }
    : null;

/** All but the series and the metadata, in the order of the errors. */
const immutable: readonly (readonly [
  name: string,
  read: (value: unknown) => unknown,
  shownName?: string,
])[] = [
  ["involvedObject", referenceOf],
  ["reason", stringOf],
  ["message", stringOf],
  ["source", sourceOf],
  ["firstTimestamp", orNull],
  ["lastTimestamp", orNull],
  ["count", (value) => value ?? 0],
  ["type", stringOf],
  ["eventTime", orNull],
  ["action", stringOf],
  ["related", referenceOf],
  ["reportingComponent", stringOf, "reportingController"],
  ["reportingInstance", stringOf],
];

function checkUnchanged(event: ApiObject, stored: ApiObject): readonly FieldError[] {
  return immutable.flatMap(([name, read, shownName = name]) => {
    const [now, before] = [read(event[name]), read(stored[name])];
    if (!isRecord(now)) return checkImmutable(shownName, now, before);
    return isJsonEqual(now, before)
      ? []
      : [invalidShown(name, goStruct(now), "field is immutable")];
  });
}

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
