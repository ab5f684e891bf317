import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { goStruct } from "../base/go-text.ts";
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
import { checkDnsSubdomain, checkQualifiedName } from "../validation/names.ts";
import { checkImmutable, checkText, checkWord } from "../validation/values.ts";
import { deprecatedNodeLabel } from "./node.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkNodeSelector } from "./pods/affinity.ts";
import { checkPositiveQuantity } from "./quantities.ts";
import { checkAccessModes, checkVolumeMode } from "./volume-claim.ts";

const recycled =
  "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. " +
  "Instead, the recommended approach is to use dynamic provisioning.";

/** Rules for PersistentVolumes. The real server checks a changed one twice. */
export const volumeRules: ObjectRules = {
  create: (volume) => checkVolume(recordOf(volume["spec"])),
  update: (volume, stored) => {
    const errors = checkVolume(recordOf(volume["spec"]));
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

// The sources of volumes, in the order of pkg/apis/core/validation.
const sourceNames = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "hostPath",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
];
const sourceChecks: Readonly<Record<string, (field: string, source: JsonObject) => FieldError[]>> =
  {
    hostPath: checkHostPath,
    nfs: checkNfs,
    local: (field, source) => checkPath(`${field}.path`, text(source, "path")),
    csi: (field, source) => checkPresent(field, source, ["driver", "volumeHandle"]),
  };
const hostPathTypes = [
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

function checkVolume(spec: JsonObject): readonly FieldError[] {
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
    ...checkSources(spec),
  );
  const storageClass = text(spec, "storageClassName");
  if (storageClass !== "") {
    errors.push(...checkText("spec.storageClassName", storageClass, checkDnsSubdomain));
  }
  return [...errors, ...checkVolumeMode("spec.volumeMode", spec["volumeMode"])];
}

function checkCapacity(capacity: unknown): readonly FieldError[] {
  const quantities = recordOf(capacity);
  const names = Object.keys(quantities);
  const errors = names.length === 0 ? [required("spec.capacity")] : [];
  if (names.length !== 1 || names[0] !== "storage") {
    errors.push(notSupported("spec.capacity", capacity ?? null, ["storage"]));
  }
  for (const name of names) {
    errors.push(...checkPositiveQuantity(`spec.capacity[${name}]`, quantities[name]));
  }
  return errors;
}

function checkNodeAffinity(field: string, affinity: unknown): readonly FieldError[] {
  if (!isRecord(affinity)) return [];
  if (isRecord(affinity["required"])) return checkNodeSelector(field, affinity["required"]);
  return [required(field, "must specify required node constraints")];
}

function checkSources(spec: JsonObject): readonly FieldError[] {
  const [first, ...others] = sourceNames.filter((name) => isRecord(spec[name]));
  if (first === undefined) return [required("spec", "must specify a volume type")];
  const errors = others.map((name) =>
    forbidden(`spec.${name}`, "may not specify more than 1 volume type"),
  );
  const source = recordOf(spec[first]);
  errors.push(...(sourceChecks[first]?.(`spec.${first}`, source) ?? []));
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

function checkHostPath(field: string, source: JsonObject): FieldError[] {
  const errors = checkPath(`${field}.path`, text(source, "path"));
  return [...errors, ...checkWord(`${field}.type`, source["type"], hostPathTypes)];
}

function checkNfs(field: string, source: JsonObject): FieldError[] {
  const errors = checkPresent(field, source, ["server", "path"]);
  const path = text(source, "path");
  if (path === "" || path.startsWith("/")) return errors;
  return [...errors, invalid(`${field}.path`, path, "must be an absolute path")];
}

function checkPath(field: string, path: string): FieldError[] {
  if (path === "") return [required(field)];
  const leavesItsPlace = path.split("/").includes("..");
  return leavesItsPlace ? [invalid(field, path, "must not contain '..'")] : [];
}

function checkPresent(field: string, source: JsonObject, names: readonly string[]): FieldError[] {
  return names
    .filter((name) => text(source, name) === "")
    .map((name) => required(`${field}.${name}`));
}

function checkChanges(volume: ApiObject, stored: ApiObject): readonly FieldError[] {
  const spec = recordOf(volume["spec"]);
  const before = recordOf(stored["spec"]);
  const isMoved = sourceNames.some((name) => !isJsonEqual(spec[name], before[name]));
  const field = "spec.persistentvolumesource";
  const moved = forbidden(field, `${field} is immutable after creation`);
  const errors = isMoved ? [withDiff(moved, "PersistentVolumeSource", before, spec)] : [];
  errors.push(...checkImmutable("volumeMode", spec["volumeMode"], before["volumeMode"]));
  const { nodeAffinity } = before;
  if (nodeAffinity === undefined || isJsonEqual(spec["nodeAffinity"], nodeAffinity)) return errors;
  const shown = showNodeAffinity(spec["nodeAffinity"]);
  const problem = "field is immutable, except for updating from beta label to GA";
  return [...errors, invalidShown("nodeAffinity", shown, problem)];
}

// Formats it like the server's own types.
function showNodeAffinity(affinity: unknown): string {
  if (!isRecord(affinity)) return "null";
  const { required: selector } = affinity;
  const terms = objects(selector, "nodeSelectorTerms").map(
    (term) =>
      `{"MatchExpressions":${showExpressions(term["matchExpressions"])},"MatchFields":${showExpressions(term["matchFields"])}}`,
  );
  const shown = isRecord(selector) ? `{"NodeSelectorTerms":[${terms.join(",")}]}` : "null";
  return `{"Required":${shown}}`;
}

function showExpressions(list: unknown): string {
  if (!Array.isArray(list)) return "null";
  const shown = list.filter(isRecord).map((one) =>
    goStruct({
      Key: text(one, "key"),
      Operator: text(one, "operator"),
      Values: one["values"] ?? null,
    }),
  );
  return `[${shown.join(",")}]`;
}

function checkStorageClass(storageClass: ApiObject): readonly FieldError[] {
  const provisioner = text(storageClass, "provisioner");
  const errors = checkText("provisioner", provisioner.toLowerCase(), checkQualifiedName);
  const parameters = Object.keys(recordOf(storageClass["parameters"]));
  return [
    ...(provisioner === "" ? [required("provisioner")] : errors),
    ...(parameters.includes("") ? [invalid("parameters", "", "field can not be empty.")] : []),
    ...checkWord("reclaimPolicy", storageClass["reclaimPolicy"], ["Delete", "Retain"]),
    ...checkWord(
      "volumeBindingMode",
      storageClass["volumeBindingMode"],
      ["Immediate", "WaitForFirstConsumer"],
      "required",
    ),
    ...objects(storageClass, "allowedTopologies").flatMap((term, index) =>
      checkTopology(`allowedTopologies[${index}].matchLabelExpressions`, term),
    ),
  ];
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
      const field = `allowedTopologies[${index}].matchLabelExpressions[${at}].key`;
      warnings.push(`${field}: ${warning}`);
    }
  }
  return warnings;
}
