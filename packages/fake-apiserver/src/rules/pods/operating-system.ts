import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, texts } from "../../base/read-fields.ts";
import { forbidden, notSupported, required } from "../../validation/field-errors.ts";

const systems = ["linux", "windows"];

/**
 * Checks the fields that depend on a pod's operating system (pkg/apis/core/validation,
 * `validateOS`).
 */
export function checkOperatingSystem(field: string, spec: JsonObject): readonly FieldError[] {
  const { os } = spec;
  if (!isRecord(os)) return [];
  const { name = "" } = os;
  if (name === "") return [required(`${field}.os.name`)];
  if (name === "linux") return checkLinux(field, spec);
  if (name === "windows") return checkWindows(field, spec);
  return [notSupported(`${field}.os`, name, systems)];
}

interface Context {
  readonly field: string;
  readonly context: JsonObject;
}

function contextsOfContainers(field: string, spec: JsonObject): readonly Context[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objects(spec, list).map((container, index) => ({
      field: `${field}.${list}[${index}].securityContext`,
      context: recordOf(container["securityContext"]),
    })),
  );
}

function checkLinux(field: string, spec: JsonObject): readonly FieldError[] {
  const ofPod = {
    field: `${field}.securityContext`,
    context: recordOf(spec["securityContext"]),
  };
  return [ofPod, ...contextsOfContainers(field, spec)]
    .filter(({ context }) => isRecord(context["windowsOptions"]))
    .map(({ field: at }) =>
      forbidden(`${at}.windowsOptions`, "windows options cannot be set for a linux pod"),
    );
}

const notOnWindows = "cannot be set for a windows pod";
const ofPods = [
  ...["appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy"],
  ...["sysctls", "runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy"],
  "seLinuxChangePolicy",
];
const ofContainers = [
  ...["appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities"],
  ...["readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation", "procMount"],
  ...["runAsUser", "runAsGroup"],
];

function checkWindows(field: string, spec: JsonObject): readonly FieldError[] {
  const context = recordOf(spec["securityContext"]);
  const errors = setMembers(context, ofPods, `${field}.securityContext`);
  if (spec["hostUsers"] !== undefined) errors.push(forbidden(`${field}.hostUsers`, notOnWindows));
  for (const name of ["hostPID", "hostIPC"]) {
    if (spec[name] === true) errors.push(forbidden(`${field}.${name}`, notOnWindows));
  }
  if (spec["shareProcessNamespace"] !== undefined) {
    errors.push(forbidden(`${field}.shareProcessNamespace`, notOnWindows));
  }
  for (const { context: own, field: at } of contextsOfContainers(field, spec)) {
    errors.push(...setMembers(own, ofContainers, at));
  }
  return errors;
}

function setMembers(context: JsonObject, names: readonly string[], field: string): FieldError[] {
  return names
    .filter((name) => context[name] !== undefined)
    .filter(
      (name) =>
        name !== "sysctls" || texts(context, name).length + objects(context, name).length > 0,
    )
    .map((name) => forbidden(`${field}.${name}`, notOnWindows));
}
