import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count, objects, text } from "../../base/read-fields.ts";
import { quantityNanos } from "../../schema/quantity.ts";
import { forbidden, invalid, required } from "../../validation/field-errors.ts";
import { checkTemplateMeta } from "../../validation/template-meta.ts";
import { checkDnsSubdomain } from "../../validation/names.ts";
import { checkListed, checkText } from "../../validation/values.ts";
import { checkDriverName } from "../csi.ts";
import { checkIscsi, checkSecret, needs, type SourceRule } from "../shared-sources.ts";
import { checkVolumeClaim } from "../volume-claim.ts";
import { checkFieldReference, checkResourceReference, filePaths } from "./field-references.ts";
import { checkFilePath } from "./paths.ts";

/** A kind of volume. */
export interface VolumeSource {
  readonly name: string;
  /** @default the rule that PersistentVolumes have too */
  readonly check?: SourceRule;
  /** Name in the server's message if it is one too many. @default the name */
  readonly forbiddenAs?: string;
}

/** The kinds of volumes a pod may have, in the order in which the server looks for them. */
export const volumeSources: readonly VolumeSource[] = [
  { name: "emptyDir", check: checkEmptyDirectory },
  { name: "hostPath" },
  { name: "gitRepo", check: needs("repository") },
  { name: "gcePersistentDisk" },
  { name: "awsElasticBlockStore" },
  { name: "secret", check: checkFiles("secretName") },
  { name: "nfs" },
  { name: "iscsi", check: checkTarget },
  { name: "glusterfs" },
  { name: "flocker" },
  { name: "persistentVolumeClaim", check: needs("claimName") },
  { name: "rbd" },
  { name: "cinder", check: checkCinder },
  { name: "cephfs", forbiddenAs: "cephFS" },
  { name: "quobyte" },
  // The name without its last letter but one is the server's.
  { name: "downwardAPI", check: checkDownwardFiles, forbiddenAs: "downwarAPI" },
  { name: "fc" },
  { name: "flexVolume" },
  { name: "configMap", check: checkFiles("name") },
  { name: "azureFile" },
  { name: "vsphereVolume" },
  { name: "photonPersistentDisk" },
  { name: "portworxVolume" },
  { name: "azureDisk" },
  { name: "storageos" },
  { name: "projected", check: checkProjected },
  { name: "scaleIO" },
  { name: "csi", check: checkDriver },
  { name: "ephemeral", check: checkEphemeral },
  { name: "image", check: checkImage },
];

function checkEmptyDirectory(field: string, source: JsonObject): readonly FieldError[] {
  const nanos = quantityNanos(text(source, "sizeLimit"));
  if (nanos === undefined || nanos >= 0n) return [];
  const problem = "SizeLimit field must be a valid resource quantity";
  return [forbidden(`${field}.sizeLimit`, problem)];
}

function checkTarget(field: string, source: JsonObject): readonly FieldError[] {
  return checkIscsi(field, source, "must be valid format starting with iqn, eui, or naa");
}

function checkCinder(field: string, source: JsonObject): readonly FieldError[] {
  return [...needs("volumeID")(field, source), ...checkSecret(field, source, ["name"])];
}

function checkDriver(field: string, source: JsonObject): readonly FieldError[] {
  const errors = checkDriverName(`${field}.driver`, text(source, "driver"));
  const { nodePublishSecretRef } = source;
  if (nodePublishSecretRef === undefined) return errors;
  const name = text(nodePublishSecretRef, "name");
  // The server leaves out the middle of the path of a wrong name.
  const problems =
    name === ""
      ? [required(`${field}.nodePublishSecretRef.name`)]
      : checkText(`${field}.name`, name, checkDnsSubdomain);
  return [...errors, ...problems];
}

// pkg/apis/core/validation: `fileModeErrorMsg`; 0777 is the greatest mode.
const maxMode = 0o777;
const modeProblem = "must be a number between 0 and 0777 (octal), both inclusive";

function checkMode(field: string, mode: unknown): readonly FieldError[] {
  if (typeof mode !== "number" || (mode >= 0 && mode <= maxMode)) return [];
  return [invalid(field, mode, modeProblem)];
}

function checkFiles(name: string): SourceRule {
  return (field, source) => [
    ...needs(name)(field, source),
    ...checkMode(`${field}.defaultMode`, source["defaultMode"]),
    ...checkItems(`${field}.items`, source),
  ];
}

function checkItems(field: string, source: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, item] of objects(source, "items").entries()) {
    const at = `${field}[${index}]`;
    errors.push(
      ...needs("key", "path")(at, item),
      ...checkFilePath(`${at}.path`, text(item, "path")),
      ...checkMode(`${at}.mode`, item["mode"]),
    );
  }
  return errors;
}

function checkDownwardFiles(field: string, source: JsonObject): readonly FieldError[] {
  return [
    ...checkMode(`${field}.defaultMode`, source["defaultMode"]),
    ...objects(source, "items").flatMap((file) => checkDownwardFile(field, file)),
  ];
}

// The server names the source, not the file.
function checkDownwardFile(field: string, file: JsonObject): readonly FieldError[] {
  const { fieldRef, resourceFieldRef } = file;
  const errors = [
    ...needs("path")(field, file),
    ...checkFilePath(`${field}.path`, text(file, "path")),
    ...checkMode(`${field}.mode`, file["mode"]),
  ];
  if (isRecord(fieldRef)) {
    errors.push(...checkFieldReference(`${field}.fieldRef`, fieldRef, filePaths));
    if (resourceFieldRef !== undefined) {
      const problem = "fieldRef and resourceFieldRef can not be specified simultaneously";
      errors.push(invalid(field, "resource", problem));
    }
  } else if (isRecord(resourceFieldRef)) {
    const at = `${field}.resourceFieldRef`;
    errors.push(...checkResourceReference(at, resourceFieldRef, true));
  } else errors.push(required(field, "one of fieldRef and resourceFieldRef is required"));
  return errors;
}

function checkProjected(field: string, source: JsonObject): readonly FieldError[] {
  const paths = new Set<string>();
  return [
    ...checkMode(`${field}.defaultMode`, source["defaultMode"]),
    ...objects(source, "sources").flatMap((projection, index) =>
      checkProjection(field, `${field}.sources[${index}]`, projection, paths),
    ),
  ];
}

const projections = ["secret", "configMap", "downwardAPI", "serviceAccountToken"];
const otherProjections = ["clusterTrustBundle", "podCertificate"];

function checkProjection(
  field: string,
  at: string,
  projection: JsonObject,
  paths: Set<string>,
): readonly FieldError[] {
  const names = [...projections, ...otherProjections].filter((name) => isRecord(projection[name]));
  const errors: FieldError[] = [];
  for (const name of names) {
    const source = projection[name];
    if (!isRecord(source)) continue;
    errors.push(...checkProjectionSource(field, `${at}.${name}`, name, source));
    for (const item of objects(source, "items")) {
      const path = text(item, "path");
      if (path === "") continue;
      const shown = name === "downwardAPI" ? path : text(source, "name");
      if (paths.has(path)) errors.push(invalid(field, shown, "conflicting duplicate paths"));
      paths.add(path);
    }
  }
  if (names.length > 1) errors.push(forbidden(at, "may not specify more than 1 volume type"));
  return errors;
}

// A token lives at least ten minutes and at most 2^32 s: pkg/apis/core/validation.
const leastTokenSeconds = 600;
const mostTokenSeconds = 2 ** 32;

function checkProjectionSource(
  field: string,
  at: string,
  name: string,
  source: JsonObject,
): readonly FieldError[] {
  if (name === "secret" || name === "configMap") {
    return [...needs("name")(at, source), ...checkItems(`${at}.items`, source)];
  }
  if (name === "downwardAPI") {
    return objects(source, "items").flatMap((file) => checkDownwardFile(at, file));
  }
  if (name !== "serviceAccountToken") return [];
  const seconds = count(source, "expirationSeconds");
  const path = text(source, "path");
  const errors: FieldError[] = [];
  const problem =
    seconds < leastTokenSeconds
      ? "may not specify a duration less than 10 minutes"
      : "may not specify a duration larger than 2^32 seconds";
  if (seconds < leastTokenSeconds || seconds > mostTokenSeconds) {
    errors.push(invalid(`${at}.expirationSeconds`, seconds, problem));
  }
  if (path === "") errors.push(required(`${field}.path`));
  else errors.push(...checkFilePath(`${field}.path`, path));
  return errors;
}

function checkEphemeral(field: string, source: JsonObject): readonly FieldError[] {
  const { volumeClaimTemplate } = source;
  const at = `${field}.volumeClaimTemplate`;
  if (!isRecord(volumeClaimTemplate)) return [required(at)];
  return [
    ...checkTemplateMeta(`${at}.metadata`, recordOf(volumeClaimTemplate["metadata"])),
    ...checkVolumeClaim(`${at}.spec`, recordOf(volumeClaimTemplate["spec"])),
  ];
}

function checkImage(field: string, source: JsonObject): readonly FieldError[] {
  const policies = ["Always", "IfNotPresent", "Never"];
  const { pullPolicy } = source;
  return pullPolicy === undefined ? [] : checkListed(`${field}.pullPolicy`, pullPolicy, policies);
}
