import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import { exceedsBytes } from "../base/go-text.ts";
import { count, objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import {
  duplicate,
  forbidden,
  invalid,
  required,
  tooLong,
  tooMany,
} from "../validation/field-errors.ts";
import { checkDnsLabel, checkDnsSubdomain, checkQualifiedName } from "../validation/names.ts";
import { checkImmutable, checkText } from "../validation/values.ts";
import { checkDriverName } from "./csi.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkNodeSelector } from "./pods/affinity.ts";

// k8s.io/kubernetes pkg/apis/resource/types.go.
const maxDevices = 128;
const maxSpecialDevices = 64;
const maxAttributes = 32;
const maxAttributeBytes = 64;
const maxPoolBytes = 253;

/** Rules for ResourceSlices: k8s.io/kubernetes pkg/apis/resource/validation/validation.go. */
export const resourceSliceRules: ObjectRules = rulesOf(
  ({ spec }: ApiObject) => checkSlice(recordOf(spec)),
  {
    first: "check",
    changes: ({ spec }, stored) => {
      const [now, before] = [recordOf(spec), recordOf(stored["spec"])];
      return [
        ...checkImmutable(
          "spec.pool.name",
          text(now, "pool", "name"),
          text(before, "pool", "name"),
        ),
        ...checkImmutable("spec.driver", now["driver"], before["driver"]),
        ...checkImmutable("spec.nodeName", now["nodeName"], before["nodeName"]),
      ];
    },
  },
);

function checkSlice(spec: JsonObject): readonly FieldError[] {
  const pool = recordOf(spec["pool"]);
  const slices = count(pool, "resourceSliceCount");
  const generation = count(pool, "generation");
  const errors = [
    ...checkDriverName("spec.driver", text(spec, "driver")),
    ...checkPool("spec.pool.name", text(pool, "name")),
  ];
  if (slices <= 0) {
    errors.push(invalid("spec.pool.resourceSliceCount", slices, "must be greater than zero"));
  }
  if (generation < 0) {
    const problem = "must be greater than or equal to zero";
    errors.push(invalid("spec.pool.generation", generation, problem));
  }
  const places = checkPlaces("spec", spec, "must be either unset or set to a non-empty string");
  errors.push(...places.errors);
  const choice =
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  errors.push(...checkChoice("spec", places.chosen, choice, ", but multiple fields are set"));
  if (spec["sharedCounters"] !== undefined && spec["devices"] !== undefined) {
    errors.push(invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed"));
  }
  return [...errors, ...checkDevices(spec)];
}

/** The ways in which a slice or a device names its nodes. */
function checkPlaces(
  field: string,
  place: JsonObject,
  emptyName: string,
): { readonly chosen: readonly string[]; readonly errors: readonly FieldError[] } {
  const { nodeName, nodeSelector } = place;
  const errors: FieldError[] = [];
  const chosen: string[] = [];
  if (nodeName === "") errors.push(invalid(`${field}.nodeName`, "", emptyName));
  else if (typeof nodeName === "string") {
    chosen.push("`nodeName`");
    errors.push(...checkText(`${field}.nodeName`, nodeName, checkDnsSubdomain));
  }
  if (isRecord(nodeSelector)) {
    chosen.push("`nodeSelector`");
    errors.push(...checkNodeSelector(`${field}.nodeSelector`, nodeSelector));
    const terms = nodeSelector["nodeSelectorTerms"];
    if (field === "spec" && Array.isArray(terms) && terms.length !== 1) {
      const problem = "must have exactly one node selector term";
      errors.push(invalid(`${field}.nodeSelector.nodeSelectorTerms`, terms, problem));
    }
  }
  for (const name of ["allNodes", "perDeviceNodeSelection"]) {
    const value = place[name];
    if (value === true) chosen.push(`\`${name}\``);
    if (value !== false) continue;
    errors.push(invalid(`${field}.${name}`, value, "must be either unset or set to true"));
  }
  return { chosen, errors };
}

function checkChoice(
  field: string,
  chosen: readonly string[],
  choice: string,
  several: string,
): readonly FieldError[] {
  if (chosen.length === 0) return [required(field, choice)];
  if (chosen.length === 1) return [];
  return [invalid(field, `{${chosen.join(", ")}}`, choice + several)];
}

function checkDevices(spec: JsonObject): readonly FieldError[] {
  const devices = objects(spec, "devices");
  const isSpecial = devices.some(
    (device) =>
      objects(device, "taints").length > 0 || objects(device, "consumesCounters").length > 0,
  );
  const most = isSpecial ? maxSpecialDevices : maxDevices;
  if (devices.length > most) return [tooMany("spec.devices", devices.length, most)];
  const names = devices.map((device) => text(device, "name"));
  const isPerDevice = spec["perDeviceNodeSelection"] === true;
  return [
    ...devices.flatMap((device, index) =>
      checkDevice(`spec.devices[${index}]`, device, isPerDevice),
    ),
    ...[...repeatedIndexes(names)].map((index) =>
      duplicate(`spec.devices[${index}]`, names[index] ?? ""),
    ),
  ];
}

function checkDevice(
  field: string,
  device: JsonObject,
  isPerDevice: boolean,
): readonly FieldError[] {
  const attributes = Object.entries(recordOf(device["attributes"]));
  const capacities = Object.entries(recordOf(device["capacity"]));
  const total = attributes.length + capacities.length;
  const errors = checkText(`${field}.name`, text(device, "name"), checkDnsLabel);
  if (total > maxAttributes) {
    const all = "the total number of attributes and capacities";
    errors.push(invalid(field, total, `${all} must not exceed ${maxAttributes}`));
  }
  for (const [name, attribute] of attributes) {
    errors.push(...checkAttribute(`${field}.attributes[${name}]`, recordOf(attribute)));
  }
  for (const [name, capacity] of capacities) {
    const isForbidden =
      device["allowMultipleAllocations"] !== true &&
      recordOf(capacity)["requestPolicy"] !== undefined;
    const at = `${field}.capacity[${name}].requestPolicy`;
    if (isForbidden) errors.push(forbidden(at, "allowMultipleAllocations must be true"));
  }
  return [
    ...errors,
    ...checkDevicePlace(field, device, isPerDevice),
    ...checkBindings(field, device),
  ];
}

function checkDevicePlace(
  field: string,
  device: JsonObject,
  isPerDevice: boolean,
): readonly FieldError[] {
  const where = "`perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  if (!isPerDevice) {
    const names = ["nodeName", "nodeSelector", "allNodes"];
    const problem = `\`nodeName\`, \`nodeSelector\` and \`allNodes\` can only be set if ${where}`;
    const isSet = names.some((name) => device[name] !== undefined);
    return isSet ? [invalid(field, null, problem)] : [];
  }
  const { chosen, errors } = checkPlaces(field, device, "must not be empty");
  const ways = "`nodeName`, `nodeSelector`, or `allNodes`";
  const choice = `exactly one of ${ways} is required when ${where}`;
  return [...errors, ...checkChoice(field, chosen, choice, "")];
}

// semver.org 2.0.0, as the server reads it.
const version =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;

function checkAttribute(field: string, attribute: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { string, version: number } = attribute;
  if (typeof string === "string" && exceedsBytes(string, maxAttributeBytes)) {
    errors.push(tooLong(`${field}.string`, maxAttributeBytes));
  }
  if (typeof number === "string" && !version.test(number)) {
    const problem = "must be a string compatible with semver.org spec 2.0.0";
    errors.push(invalid(`${field}.version`, number, problem));
  }
  if (typeof number === "string" && exceedsBytes(number, maxAttributeBytes)) {
    errors.push(tooLong(`${field}.version`, maxAttributeBytes));
  }
  const lists = ["bools", "ints", "strings", "versions"];
  for (const name of lists) {
    const list = attribute[name];
    const isEmpty = Array.isArray(list) && list.length === 0;
    if (isEmpty) errors.push(invalid(`${field}.${name}`, list, "must not be empty if specified"));
  }
  const given = ["bool", "int", "string", "version", ...lists].filter(
    (name) => attribute[name] !== undefined,
  );
  if (given.length === 1) return errors;
  const shown = given.length === 0 ? "" : attribute;
  return [...errors, invalid(field, shown, "exactly one value must be specified")];
}

/** Conditions with which a device is bound, and those with which binding has failed. */
function checkBindings(field: string, device: JsonObject): readonly FieldError[] {
  const [ready, failed] = ["bindingConditions", "bindingFailureConditions"] as const;
  const conditions = {
    bindingConditions: texts(device, ready),
    bindingFailureConditions: texts(device, failed),
  };
  const errors: FieldError[] = [];
  for (const name of [ready, failed]) {
    const names = conditions[name];
    for (const [index, condition] of names.entries()) {
      errors.push(...checkText(`${field}.${name}[${index}]`, condition, checkQualifiedName));
    }
    for (const index of repeatedIndexes(names)) {
      errors.push(duplicate(`${field}.${name}[${index}]`, names[index] ?? ""));
    }
  }
  for (const [index, condition] of conditions[failed].entries()) {
    if (!conditions[ready].includes(condition)) continue;
    const problem = `${failed} must not overlap with ${ready}`;
    errors.push(invalid(`${field}.${failed}[${index}]`, condition, problem));
  }
  for (const [name, other] of [
    [ready, failed],
    [failed, ready],
  ] as const) {
    if (conditions[name].length > 0 || conditions[other].length === 0) continue;
    errors.push(invalid(`${field}.${name}`, [], `${name} are required to use ${other}`));
  }
  return errors;
}

/** Checks the name of a pool of devices: subdomains with slashes between them. */
export function checkPool(field: string, name: string): readonly FieldError[] {
  if (name === "") return [required(field)];
  const errors = exceedsBytes(name, maxPoolBytes) ? [tooLong(field, maxPoolBytes)] : [];
  const parts = name.split("/");
  return [...errors, ...parts.flatMap((part) => checkText(field, part, checkDnsSubdomain))];
}
