import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { field as valueAt, text, texts } from "../base/read-fields.ts";
import { forbidden, invalid, required, withDiff } from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import { checkDnsSubdomain } from "../validation/names.ts";
import { checkChoice, checkImmutable, checkListed, checkText } from "../validation/values.ts";
import type { ObjectRules } from "./object-rules.ts";
import { checkPositiveQuantity, nanosOf } from "./quantities.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const oneMode = "ReadWriteOncePod";
const frozenDetail =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** Rules for PersistentVolumeClaims. */
export const volumeClaimRules: ObjectRules = {
  create: (claim) => checkVolumeClaim("spec", recordOf(claim["spec"])),
  update: (claim, stored) => [
    ...checkVolumeClaim("spec", recordOf(claim["spec"])),
    ...checkChanges(claim, stored),
  ],
};

/** Checks the spec of a claim, or of a template of claims. */
export function checkVolumeClaim(field: string, spec: JsonObject): readonly FieldError[] {
  const storage = valueAt(spec, "resources", "requests", "storage");
  const { storageClassName } = spec;
  const modes = texts(spec, "accessModes");
  const errors: FieldError[] = [];
  if (modes.length === 0) {
    errors.push(required(`${field}.accessModes`, "at least 1 access mode is required"));
  }
  errors.push(
    ...checkLabelSelector(`${field}.selector`, spec["selector"]),
    ...checkAccessModes(`${field}.accessModes`, modes),
  );
  const storageField = `${field}.resources[storage]`;
  if (storage === undefined) errors.push(required(storageField));
  else errors.push(...checkPositiveQuantity(storageField, storage));
  if (typeof storageClassName === "string" && storageClassName !== "") {
    errors.push(...checkText(`${field}.storageClassName`, storageClassName, checkDnsSubdomain));
  }
  errors.push(...checkVolumeMode(`${field}.volumeMode`, spec["volumeMode"]));
  errors.push(...checkSources(field, spec));
  const { volumeAttributesClassName: attributes } = spec;
  if (typeof attributes === "string" && attributes !== "") {
    errors.push(...checkText(`${field}.volumeAttributesClassName`, attributes, checkDnsSubdomain));
  }
  return errors;
}

/** Whether volumes are mounted or used as devices. */
export function checkVolumeMode(field: string, mode: unknown): FieldError[] {
  return checkChoice(field, mode, ["Block", "Filesystem"]);
}

/** In what ways a volume may be mounted. */
export function checkAccessModes(field: string, modes: readonly string[]): FieldError[] {
  const errors = modes.flatMap((mode) => checkListed(field, mode, accessModes));
  const hasOther = modes.some((mode) => mode !== oneMode && accessModes.includes(mode));
  if (hasOther && modes.includes(oneMode)) {
    errors.push(forbidden(field, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

function checkSources(field: string, spec: JsonObject): readonly FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const errors: FieldError[] = [];
  for (const name of ["dataSource", "dataSourceRef"]) {
    const source = spec[name];
    if (!isRecord(source)) continue;
    for (const part of ["name", "kind"]) {
      if (text(source, part) === "") errors.push(required(`${field}.${name}.${part}`));
    }
    const isCore = text(source, "apiGroup") === "";
    if (isCore && text(source, "kind") !== "PersistentVolumeClaim") {
      const problem = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
      errors.push(invalid(`${field}.${name}`, text(source, "kind"), problem));
    }
    if (!isCore) {
      const group = text(source, "apiGroup");
      errors.push(...checkText(`${field}.${name}.apiGroup`, group, checkDnsSubdomain));
    }
  }
  return [...errors, ...checkSameSource(field, dataSource, dataSourceRef)];
}

// The server shows a path as the value, of which nothing is printed.
function checkSameSource(field: string, source: unknown, ref: unknown): readonly FieldError[] {
  if (!isRecord(source) || !isRecord(ref)) return [];
  if (text(ref, "namespace") !== "") {
    const problem = "may not be specified when dataSourceRef.namespace is specified";
    return [invalid(field, {}, problem)];
  }
  const isSame = ["apiGroup", "kind", "name"].every((name) => source[name] === ref[name]);
  return isSame ? [] : [invalid(field, {}, "must match dataSourceRef")];
}

function checkChanges(claim: ApiObject, stored: ApiObject): readonly FieldError[] {
  const spec = recordOf(claim["spec"]);
  const before = recordOf(stored["spec"]);
  const isBound = text(claim, "status", "phase") === "Bound";
  const errors: FieldError[] = [];
  if (!isJsonEqual(comparable(spec, before, isBound), comparable(before, before, isBound))) {
    errors.push(withDiff(forbidden("spec", frozenDetail), ...shownChange(spec, before, isBound)));
  }
  const path = ["resources", "requests", "storage"] as const;
  const size = nanosOf(valueAt(spec, ...path));
  const capacity = valueAt(stored, "status", "capacity", "storage");
  const isSmaller = size < nanosOf(valueAt(before, ...path));
  if (isSmaller && size <= nanosOf(capacity ?? "0")) {
    const detail = "field can not be less than status.capacity";
    errors.push(forbidden(`spec.${path.join(".")}`, detail));
  }
  return [...errors, ...checkImmutable("volumeMode", spec["volumeMode"], before["volumeMode"])];
}

// The specs that a diff shows, without what may change.
function shownChange(
  spec: JsonObject,
  before: JsonObject,
  isBound: boolean,
): readonly ["PersistentVolumeClaimSpec", JsonObject, JsonObject] {
  const { storageClassName, volumeAttributesClassName, volumeName } = before;
  const resources = recordOf(spec["resources"]);
  const storage = valueAt(before, "resources", "requests", "storage");
  const after = {
    ...spec,
    ...(storageClassName === undefined && { storageClassName }),
    ...(isBound && {
      volumeAttributesClassName,
      resources: { ...resources, requests: { ...recordOf(resources["requests"]), storage } },
    }),
  };
  const old = { ...before, volumeName: volumeName ?? spec["volumeName"] };
  return ["PersistentVolumeClaimSpec", old, after];
}

// The spec without what may change: the volume and the class once, the size of a bound claim.
function comparable(spec: JsonObject, before: JsonObject, isBound: boolean): JsonObject {
  const { volumeAttributesClassName, ...kept } = spec;
  const { resources, storageClassName, volumeName, ...fixed } = kept;
  const requests = recordOf(recordOf(resources)["requests"]);
  const { storage, ...others } = requests;
  return {
    ...fixed,
    volumeAttributesClassName: isBound ? "" : volumeAttributesClassName,
    volumeName: before["volumeName"] === undefined ? "" : volumeName,
    storageClassName: before["storageClassName"] === undefined ? "" : storageClassName,
    resources: {
      ...recordOf(resources),
      requests: isBound ? others : { ...others, storage: nanosOf(storage).toString() },
    },
  };
}
