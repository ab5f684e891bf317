import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { flag, objects, text, texts } from "../../base/read-fields.ts";
import { duplicate, invalid, invalidShown, required } from "../../validation/field-errors.ts";
import { checkListed } from "../../validation/values.ts";
import { showSecurityContext, showStruct } from "./internal-form.ts";
import { checkDescendingPath } from "./paths.ts";
import { checkWindowsOptions } from "./windows.ts";

// k8s.io/apimachinery util/validation: `maxUserID` and `maxGroupID`.
const maxId = 2_147_483_647;
const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

/** The security settings of a container. */
export function checkSecurityContext(
  field: string,
  context: JsonObject,
  hostUsers: boolean,
): readonly FieldError[] {
  const { procMount } = context;
  const errors = [
    ...checkIds(field, context, ["runAsUser", "runAsGroup"]),
    ...(procMount === undefined
      ? []
      : checkListed(`${field}.procMount`, procMount, ["Default", "Unmasked"])),
    ...checkProfiles(field, context),
    ...checkWindowsOptions(`${field}.windowsOptions`, context["windowsOptions"]),
  ];
  if (hostUsers && procMount === "Unmasked") {
    const problem = "`hostUsers` must be false to use `Unmasked`";
    errors.push(invalid(`${field}.procMount`, procMount, problem));
  }
  if (context["allowPrivilegeEscalation"] !== false) return errors;
  const problems: string[] = [];
  if (flag(context, "privileged")) problems.push("`privileged` to true");
  for (const capability of texts(context, "capabilities", "add")) {
    if (capability === "CAP_SYS_ADMIN") problems.push("`capabilities.Add` CAP_SYS_ADMIN");
  }
  for (const problem of problems) {
    const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${problem}`;
    errors.push(invalidShown(field, showSecurityContext(context), detail));
  }
  return errors;
}

/** The security settings of a pod. */
export function checkPodSecurityContext(
  field: string,
  context: JsonObject,
  spec: JsonObject,
): readonly FieldError[] {
  const errors = [
    ...checkIds(field, context, ["fsGroup", "runAsUser", "runAsGroup"]),
    ...checkGroups(`${field}.supplementalGroups`, context["supplementalGroups"]),
    ...checkSysctls(`${field}.sysctls`, context, spec),
    ...checkChoices(field, context),
    ...checkProfiles(field, context),
    ...checkWindowsOptions(`${field}.windowsOptions`, context["windowsOptions"]),
  ];
  if (flag(spec, "shareProcessNamespace") && flag(spec, "hostPID")) {
    const problem = "ShareProcessNamespace and HostPID cannot both be enabled";
    errors.push(invalid(`${field}.shareProcessNamespace`, true, problem));
  }
  return errors;
}

function checkIds(
  field: string,
  context: JsonObject,
  names: readonly string[],
): readonly FieldError[] {
  return names.flatMap((name) => checkId(`${field}.${name}`, context[name]));
}

function checkId(field: string, id: unknown): readonly FieldError[] {
  if (typeof id !== "number" || (id >= 0 && id <= maxId)) return [];
  return [invalid(field, id, `must be between 0 and ${maxId}, inclusive`)];
}

function checkGroups(field: string, groups: unknown): readonly FieldError[] {
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown, index) => checkId(`${field}[${index}]`, group));
}

const choices: readonly (readonly [name: string, ...words: readonly string[]])[] = [
  ["fsGroupChangePolicy", "Always", "OnRootMismatch"],
  ["supplementalGroupsPolicy", "Merge", "Strict"],
  ["seLinuxChangePolicy", "MountOption", "Recursive"],
];

function checkChoices(field: string, context: JsonObject): readonly FieldError[] {
  return choices.flatMap(([name, ...words]) =>
    context[name] === undefined ? [] : checkListed(`${field}.${name}`, context[name], words),
  );
}

function checkProfiles(field: string, context: JsonObject): readonly FieldError[] {
  const { appArmorProfile, seccompProfile } = context;
  return [
    ...(isRecord(seccompProfile)
      ? checkProfile(`${field}.seccompProfile`, seccompProfile, "seccomp")
      : []),
    ...(isRecord(appArmorProfile)
      ? checkProfile(`${field}.appArmorProfile`, appArmorProfile, "AppArmor")
      : []),
  ];
}

function checkProfile(
  field: string,
  profile: JsonObject,
  mechanism: "AppArmor" | "seccomp",
): readonly FieldError[] {
  const type = text(profile, "type");
  const { localhostProfile } = profile;
  const at = `${field}.localhostProfile`;
  const name = field.slice(field.lastIndexOf(".") + 1);
  if (type === "Localhost") {
    // Only the older mechanism takes "".
    const isEmpty = localhostProfile === "" && mechanism === "AppArmor";
    if (typeof localhostProfile !== "string" || isEmpty) {
      return [required(at, `must be set when ${mechanism} type is Localhost`)];
    }
    if (mechanism === "seccomp") return checkDescendingPath(at, localhostProfile);
    if (localhostProfile.trim() === localhostProfile) return [];
    return [invalid(at, localhostProfile, "must not be padded with whitespace")];
  }
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(`${field}.type`, `type is required when ${name} is set`));
  else errors.push(...checkListed(`${field}.type`, type, profileTypes));
  if (localhostProfile === undefined || (mechanism === "AppArmor" && errors.length > 0)) {
    return errors;
  }
  const problem = `can only be set when ${mechanism} type is Localhost`;
  const shown =
    mechanism === "seccomp"
      ? showStruct(["Type", "LocalhostProfile"], profile)
      : JSON.stringify(localhostProfile);
  return [...errors, invalidShown(at, shown, problem)];
}

// pkg/apis/core/validation: `SysctlContainSlashFmt` and `SysctlMaxLength`.
const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctl = `^(${segment}[\\./])*${segment}$`;
const sysctlPattern = new RegExp(sysctl);
const maxSysctl = 253;

function checkSysctls(field: string, context: JsonObject, spec: JsonObject): readonly FieldError[] {
  const names = new Set<string>();
  return objects(context, "sysctls").flatMap((entry, index) => {
    const at = `${field}[${index}].name`;
    const name = text(entry, "name");
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at));
    else if (name.length > maxSysctl || !sysctlPattern.test(name)) {
      const problem = `must have at most ${maxSysctl} characters and match regex ${sysctl}`;
      errors.push(invalid(at, name, problem));
    } else if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    errors.push(...checkHostSysctl(at, name.replaceAll("/", "."), spec));
    return errors;
  });
}

// Settings of a namespace that the pod shares with its host.
function checkHostSysctl(at: string, name: string, spec: JsonObject): readonly FieldError[] {
  if (flag(spec, "hostNetwork") && name.startsWith("net.")) {
    return [invalid(at, name, "may not be specified when 'hostNetwork' is true")];
  }
  const isIpc = /^kernel\.(?:shm|msg|sem)|^fs\.mqueue\./.test(name);
  if (!flag(spec, "hostIPC") || !isIpc) return [];
  return [invalid(at, name, "may not be specified when 'hostIPC' is true")];
}

/** Namespaces of the host that a pod with separate users may not share. */
export function checkHostUsers(field: string, spec: JsonObject): readonly FieldError[] {
  if (spec["hostUsers"] !== false) return [];
  return [
    ["hostNetwork", "hostNetwork"],
    ["hostPID", "HostPID"],
    ["hostIPC", "HostIPC"],
  ]
    .filter(([name = ""]) => flag(recordOf(spec), name))
    .map(([, shown = ""]) => ({
      reason: "FieldValueForbidden" as const,
      field: `${field}.${shown}`,
      message: "Forbidden: when `hostUsers` is false",
    }));
}
