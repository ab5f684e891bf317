import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { compareBytes, exceedsBytes } from "../base/go-text.ts";
import { objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import {
  duplicate,
  forbidden,
  invalid,
  invalidShown,
  notSupported,
  required,
  withDiff,
} from "../validation/field-errors.ts";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkQualifiedName,
  type NameRule,
} from "../validation/names.ts";
import { checkImmutable, checkListed, checkText, checkWord } from "../validation/values.ts";
import { checkDriverName } from "./csi.ts";
import { deprecatedNodeLabel, newNodeLabel } from "./node.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkNodeSelector } from "./pods/affinity.ts";
import { showNodeTerm } from "./pods/internal-form.ts";
import { checkNoBacksteps } from "./pods/paths.ts";
import { checkPositiveQuantity, nanosOf } from "./quantities.ts";
import { checkIscsi, checkSecret, needs, sharedSources } from "./shared-sources.ts";
import { checkAccessModes, checkVolumeMode } from "./volume-claim.ts";

const recycled =
  "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. " +
  "Instead, the recommended approach is to use dynamic provisioning.";

/** Rules for PersistentVolumes. The real server checks a changed one twice. */
export const volumeRules: ObjectRules = {
  create: checkVolume,
  update: (volume, stored) => {
    const errors = checkVolume(volume);
    return [...errors, ...errors, ...checkChanges(volume, stored)];
  },
  warnings: warningsOf,
};

// pkg/api/persistentvolume, `warningsForPersistentVolumeSpecAndMeta`, in its order.
const oldSources: readonly (readonly [name: string, problem: string])[] = [
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

function warningsOf(volume: ApiObject): readonly string[] {
  const spec = recordOf(volume["spec"]);
  const isRecycled = spec["persistentVolumeReclaimPolicy"] === "Recycle";
  return [
    ...(isRecycled ? [recycled] : []),
    ...oldSources
      .filter(([name]) => spec[name] !== undefined)
      // The server writes this one name as its own type has it.
      .map(([name, why]) => `spec.${name === "storageos" ? "storageOS" : name}: ${why}`),
  ];
}

/** Rules for StorageClasses. */
export const storageClassRules: ObjectRules = rulesOf(checkStorageClass, {
  first: "check",
  changes: (storageClass, stored) =>
    ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"].flatMap((name) =>
      checkImmutable(name, storageClass[name], stored[name]),
    ),
  warnings: warnOfLabels,
});

type VolumeRule = (field: string, source: JsonObject, name: string) => readonly FieldError[];

// The sources of volumes, in the order of pkg/apis/core/validation.
const sourceNames = [
  ...["hostPath", "gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "flocker", "nfs"],
  ...["rbd", "quobyte", "cephfs", "iscsi", "cinder", "fc", "flexVolume", "azureFile"],
  ...["vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "scaleIO"],
  ...["local", "storageos", "csi"],
];
const sourceChecks: Readonly<Record<string, VolumeRule>> = {
  ...sharedSources,
  iscsi: checkTarget,
  cinder: (field, source) => [
    ...needs("volumeID")(field, source),
    ...checkSecret(field, source, ["name", "namespace"]),
  ],
  local: checkLocal,
  csi: checkDriver,
};

function checkVolume({ metadata, spec: given }: ApiObject): readonly FieldError[] {
  const spec = recordOf(given);
  const modes = texts(spec, "accessModes");
  const errors = modes.length === 0 ? [required("spec.accessModes")] : [];
  errors.push(
    ...checkAccessModes("spec.accessModes", modes),
    ...checkCapacity(spec["capacity"]),
    ...checkWord("spec.persistentVolumeReclaimPolicy", spec["persistentVolumeReclaimPolicy"], [
      "Delete",
      "Recycle",
      "Retain",
    ]),
    ...checkNodeAffinity("spec.nodeAffinity.required", spec["nodeAffinity"]),
    ...checkSources(spec, metadata.name ?? ""),
  );
  const storageClass = text(spec, "storageClassName");
  if (storageClass !== "") {
    errors.push(...checkText("spec.storageClassName", storageClass, checkDnsSubdomain));
  }
  return [
    ...errors,
    ...checkVolumeMode("spec.volumeMode", spec["volumeMode"]),
    ...checkAttributesClass(spec),
  ];
}

function checkAttributesClass(spec: JsonObject): readonly FieldError[] {
  const { csi, volumeAttributesClassName: name } = spec;
  if (typeof name !== "string") return [];
  const field = "spec.volumeAttributesClassName";
  const errors =
    name === ""
      ? [required(field, "an empty string is disallowed")]
      : checkText(field, name, checkDnsSubdomain);
  if (csi !== undefined) return errors;
  const detail = "has to be specified when using volumeAttributesClassName";
  return [...errors, required("spec.csi", detail)];
}

function checkCapacity(capacity: unknown): readonly FieldError[] {
  const quantities = recordOf(capacity);
  const names = Object.keys(quantities);
  const errors = names.length === 0 ? [required("spec.capacity")] : [];
  if (names.length !== 1 || names[0] !== "storage") {
    errors.push(notSupported("spec.capacity", capacity ?? null, ["storage"]));
  }
  for (const name of names) {
    const field = `spec.capacity[${name}]`;
    const nanos = nanosOf(quantities[name]);
    // The server shows the next whole number away from zero.
    const shown = (nanos - 999_999_999n) / 1_000_000_000n;
    if (nanos < 0n) {
      errors.push(invalidShown(field, shown.toString(), "must be a valid resource quantity"));
    }
    errors.push(...checkPositiveQuantity(field, quantities[name]));
  }
  return errors;
}

function checkNodeAffinity(field: string, affinity: unknown): readonly FieldError[] {
  if (!isRecord(affinity)) return [];
  if (isRecord(affinity["required"])) return checkNodeSelector(field, affinity["required"]);
  return [required(field, "must specify required node constraints")];
}

function checkSources(spec: JsonObject, name: string): readonly FieldError[] {
  const [first, ...others] = sourceNames.filter((one) => isRecord(spec[one]));
  if (first === undefined) return [required("spec", "must specify a volume type")];
  const errors = others.map((one) =>
    forbidden(
      `spec.${one === "cephfs" ? "cephFS" : one}`,
      "may not specify more than 1 volume type",
    ),
  );
  const source = recordOf(spec[first]);
  errors.push(...(sourceChecks[first]?.(`spec.${first}`, source, name) ?? []));
  if (first === "local" && spec["nodeAffinity"] === undefined) {
    errors.push(required("spec.nodeAffinity", "Local volume requires node affinity"));
  }
  const isRoot = first === "hostPath" && /^\/+$/.test(text(source, "path"));
  if (isRoot && spec["persistentVolumeReclaimPolicy"] === "Recycle") {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbidden("spec.persistentVolumeReclaimPolicy", detail));
  }
  return errors;
}

function checkLocal(field: string, source: JsonObject): readonly FieldError[] {
  const path = text(source, "path");
  return path === "" ? [required(`${field}.path`)] : checkNoBacksteps(`${field}.path`, path);
}

// The node gets a name from the name and the address of the volume.
const maxTarget = 64;
const targetProblem =
  "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";

function checkTarget(field: string, source: JsonObject, name: string): readonly FieldError[] {
  const portal = text(source, "targetPortal");
  const isNamed = source["initiatorName"] !== undefined;
  const isLong = isNamed && exceedsBytes(`${name}:${portal}`, maxTarget);
  return [
    ...checkIscsi(field, source, "must be valid format"),
    ...(isLong ? [invalid(`${field}.targetportal`, portal, targetProblem)] : []),
    ...checkSecret(field, source, ["name"]),
  ];
}

const secretNames = ["controllerPublish", "controllerExpand", "nodePublish", "nodeExpand"];

function checkDriver(field: string, source: JsonObject): readonly FieldError[] {
  const errors = [
    ...checkDriverName(`${field}.driver`, text(source, "driver")),
    ...needs("volumeHandle")(field, source),
  ];
  for (const use of secretNames) {
    const secret = source[`${use}SecretRef`];
    if (!isRecord(secret)) continue;
    const at = `${field}.${use}SecretRef`;
    errors.push(
      ...checkName(`${at}.name`, secret["name"], checkDnsSubdomain),
      ...checkName(`${at}.namespace`, secret["namespace"], checkDnsLabel),
    );
  }
  return errors;
}

function checkName(field: string, name: unknown, rule: NameRule): readonly FieldError[] {
  return typeof name === "string" && name !== "" ? checkText(field, name, rule) : [required(field)];
}

function checkChanges(volume: ApiObject, stored: ApiObject): readonly FieldError[] {
  const spec = recordOf(volume["spec"]);
  const before = recordOf(stored["spec"]);
  const isMoved = sourceNames.some((name) => !isJsonEqual(spec[name], before[name]));
  const field = "spec.persistentvolumesource";
  const moved = forbidden(field, `${field} is immutable after creation`);
  const errors = isMoved ? [withDiff(moved, "PersistentVolumeSource", before, spec)] : [];
  errors.push(...checkImmutable("volumeMode", spec["volumeMode"], before["volumeMode"]));
  const attributes = "volumeAttributesClassName";
  if (before[attributes] !== undefined && spec[attributes] === undefined) {
    errors.push(forbidden(`spec.${attributes}`, "update from non-nil value to nil is forbidden"));
  }
  const { nodeAffinity } = before;
  if (nodeAffinity === undefined || isSameAffinity(spec["nodeAffinity"], nodeAffinity))
    return errors;
  const shown = showNodeAffinity(spec["nodeAffinity"]);
  const problem = "field is immutable, except for updating from beta label to GA";
  return [...errors, invalidShown("nodeAffinity", shown, problem)];
}

// Old keys may become those of today. A server lets any other key vanish, by mistake.
function isSameAffinity(now: unknown, before: unknown): boolean {
  if (Array.isArray(now) && Array.isArray(before)) {
    return now.length === before.length && now.every((one, at) => isSameAffinity(one, before[at]));
  }
  if (!isRecord(now) || !isRecord(before)) return isJsonEqual(now, before);
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].every((name) => {
    if (name !== "key") return isSameAffinity(now[name], before[name]);
    const [key, old] = [text(now, name), text(before, name)];
    return key === old || key === newNodeLabel(old);
  });
}

// Formats it like the server's own types.
function showNodeAffinity(affinity: unknown): string {
  if (!isRecord(affinity)) return "null";
  const { required: selector } = affinity;
  const isList = isRecord(selector) && Array.isArray(selector["nodeSelectorTerms"]);
  const terms = objects(selector, "nodeSelectorTerms").map(showNodeTerm);
  const shown = isRecord(selector)
    ? `{"NodeSelectorTerms":${isList ? `[${terms.join(",")}]` : "null"}}`
    : "null";
  return `{"Required":${shown}}`;
}

function checkStorageClass(storageClass: ApiObject): readonly FieldError[] {
  const provisioner = text(storageClass, "provisioner");
  const { volumeBindingMode: mode } = storageClass;
  const terms = objects(storageClass, "allowedTopologies");
  const errors = checkText("provisioner", provisioner.toLowerCase(), checkQualifiedName);
  const parameters = Object.keys(recordOf(storageClass["parameters"]));
  return [
    ...(provisioner === "" ? [required("provisioner")] : errors),
    ...(parameters.includes("") ? [invalid("parameters", "", "field can not be empty.")] : []),
    ...checkWord("reclaimPolicy", storageClass["reclaimPolicy"], ["Delete", "Retain"]),
    ...(mode === undefined
      ? [required("volumeBindingMode")]
      : checkListed("volumeBindingMode", mode, ["Immediate", "WaitForFirstConsumer"])),
    ...terms.flatMap((term, index) => checkTopology(topologyField(index), term)),
    ...checkRepeatedTopologies(terms),
  ];
}

function topologyField(index: number): string {
  return `allowedTopologies[${index}].matchLabelExpressions`;
}

// A term without expressions counts as repeated: the server compares it with nothing too.
function checkRepeatedTopologies(terms: readonly JsonObject[]): readonly FieldError[] {
  const known = new Set(["[]"]);
  return terms.flatMap((term, index) => {
    const places = new Map(
      objects(term, "matchLabelExpressions").map((one) => [
        text(one, "key"),
        [...new Set(texts(one, "values"))].toSorted(),
      ]),
    );
    const shown = JSON.stringify(
      [...places].toSorted(([one], [other]) => compareBytes(one, other)),
    );
    const isKnown = known.has(shown);
    known.add(shown);
    return isKnown ? [duplicate(topologyField(index), "")] : [];
  });
}

function checkTopology(field: string, term: JsonObject): readonly FieldError[] {
  const keys = new Set<string>();
  return objects(term, "matchLabelExpressions").flatMap((expression, index) => {
    const at = `${field}[${index}]`;
    const key = text(expression, "key");
    const values = texts(expression, "values");
    const errors = values.length === 0 ? [required(`${at}.values`)] : [];
    const repeated = repeatedIndexes(values);
    for (const [place, value] of values.entries()) {
      if (repeated.has(place)) errors.push(duplicate(`${at}.values[${place}]`, value));
    }
    errors.push(...checkText(`${at}.key`, key, checkQualifiedName));
    if (keys.has(key)) errors.push(duplicate(`${at}.key`, key));
    keys.add(key);
    return errors;
  });
}

function warnOfLabels(storageClass: ApiObject): readonly string[] {
  const warnings: string[] = [];
  for (const [index, term] of objects(storageClass, "allowedTopologies").entries()) {
    for (const [at, expression] of objects(term, "matchLabelExpressions").entries()) {
      const warning = deprecatedNodeLabel(text(expression, "key"));
      if (warning === undefined) continue;
      const field = `${topologyField(index)}[${at}].key`;
      warnings.push(`${field}: ${warning}`);
    }
  }
  return warnings;
}
