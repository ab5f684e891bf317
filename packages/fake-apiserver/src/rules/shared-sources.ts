import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { flag, text, texts } from "../base/read-fields.ts";
import { invalid, required } from "../validation/field-errors.ts";
import { checkListed } from "../validation/values.ts";
import { checkNoBacksteps } from "./pods/paths.ts";

/** Checks a source of a volume. */
export type SourceRule = (field: string, source: JsonObject) => readonly FieldError[];

/** Fields that a source needs: texts, or lists of texts. */
export function needs(...names: readonly string[]): SourceRule {
  return (field, source) =>
    names
      .filter((name) => text(source, name) === "" && texts(source, name).length === 0)
      .map((name) => required(`${field}.${name}`));
}

const needsVolume = needs("volumeID");

/** The sources that volumes of pods and PersistentVolumes have in common. */
export const sharedSources: Readonly<Record<string, SourceRule>> = {
  gcePersistentDisk: needs("pdName"),
  awsElasticBlockStore: needsVolume,
  hostPath: checkHostPath,
  nfs: checkNfs,
  glusterfs: needs("endpoints", "path"),
  flocker: checkFlocker,
  rbd: needs("monitors", "image"),
  quobyte: needs("volume"),
  cephfs: needs("monitors"),
  cinder: needsVolume,
  fc: checkFibre,
  flexVolume: needs("driver"),
  azureFile: needs("secretName", "shareName"),
  vsphereVolume: needs("volumePath"),
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needsVolume,
  azureDisk: needs("diskName", "diskURI"),
  scaleIO: needs("gateway", "system", "volumeName"),
  storageos: needs("volumeName"),
};

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

function checkHostPath(field: string, source: JsonObject): readonly FieldError[] {
  const path = text(source, "path");
  if (path === "") return [required(`${field}.path`)];
  return [
    ...checkNoBacksteps(`${field}.path`, path),
    ...checkListed(`${field}.type`, source["type"], hostPathTypes),
  ];
}

function checkNfs(field: string, source: JsonObject): readonly FieldError[] {
  const path = text(source, "path");
  const errors = needs("server", "path")(field, source);
  if (path.startsWith("/")) return errors;
  return [...errors, invalid(`${field}.path`, path, "must be an absolute path")];
}

function checkFlocker(field: string, source: JsonObject): readonly FieldError[] {
  const [name, id] = [text(source, "datasetName"), text(source, "datasetUUID")];
  const errors: FieldError[] = [];
  if (name === "" && id === "") {
    errors.push(required(field, "one of datasetName and datasetUUID is required"));
  }
  if (name !== "" && id !== "") {
    const problem = "datasetName and datasetUUID can not be specified simultaneously";
    errors.push(invalid(field, "resource", problem));
  }
  if (!name.includes("/")) return errors;
  return [...errors, invalid(`${field}.datasetName`, name, "must not contain '/'")];
}

// The number of a unit: pkg/apis/core/validation, `validateISCSIVolumeSource`.
function checkUnit(field: string, unit: unknown): readonly FieldError[] {
  if (typeof unit !== "number" || (unit >= 0 && unit <= 255)) return [];
  return [invalid(field, unit, "must be between 0 and 255, inclusive")];
}

function checkFibre(field: string, source: JsonObject): readonly FieldError[] {
  const at = `${field}.targetWWNs`;
  const targets = texts(source, "targetWWNs");
  const ids = texts(source, "wwids");
  if (targets.length === 0) {
    const detail = "must specify either targetWWNs or wwids, but not both";
    return ids.length === 0 ? [required(at, detail)] : [];
  }
  const errors: FieldError[] = [];
  if (ids.length > 0) {
    const problem = "targetWWNs and wwids can not be specified simultaneously";
    errors.push(invalid(at, targets, problem));
  }
  const { lun } = source;
  const isMissing = lun === undefined;
  return isMissing
    ? [...errors, required(`${field}.lun`, "lun is required if targetWWNs is specified")]
    : [...errors, ...checkUnit(`${field}.lun`, lun)];
}

const initiators: ReadonlyMap<string, RegExp> = new Map([
  ["iqn", /iqn\.\d{4}-\d{2}\.[\dA-Za-z.-]+:[^,;*&$|\s]+$/],
  ["eui", /^eui.[\dA-Za-z]{16}$/],
  ["naa", /^naa.[\dA-Za-z]{32}$/],
]);

/** A target on the network. `foreign` says what a name of no known form must be. */
export function checkIscsi(
  field: string,
  source: JsonObject,
  foreign: string,
): readonly FieldError[] {
  const checkName = (at: string, name: string): readonly FieldError[] => {
    const pattern = initiators.get(name.slice(0, 3));
    if (pattern === undefined) return [invalid(at, name, foreign)];
    return pattern.test(name) ? [] : [invalid(at, name, "must be valid format")];
  };
  const { initiatorName, secretRef } = source;
  const iqn = text(source, "iqn");
  const isSecret = flag(source, "chapAuthDiscovery") || flag(source, "chapAuthSession");
  return [
    ...needs("targetPortal", "iqn")(field, source),
    ...(iqn === "" ? [] : checkName(`${field}.iqn`, iqn)),
    ...checkUnit(`${field}.lun`, source["lun"]),
    ...(isSecret && secretRef === undefined ? [required(`${field}.secretRef`)] : []),
    // The server writes this name in small letters.
    ...(typeof initiatorName === "string"
      ? checkName(`${field}.initiatorname`, initiatorName)
      : []),
  ];
}

/** Fields that a reference to a secret needs, if there is one. */
export function checkSecret(
  field: string,
  source: JsonObject,
  names: readonly string[],
): readonly FieldError[] {
  const { secretRef } = source;
  return secretRef === undefined ? [] : needs(...names)(`${field}.secretRef`, recordOf(secretRef));
}
