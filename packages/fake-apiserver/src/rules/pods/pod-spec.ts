import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count, flag, objects, text } from "../../base/read-fields.ts";
import { duplicate, invalid, invalidShown, required } from "../../validation/field-errors.ts";
import { checkLabels } from "../../validation/label-selector.ts";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkQualifiedName,
  type NameRule,
} from "../../validation/names.ts";
import { checkListed, checkText } from "../../validation/values.ts";
import { checkAffinity } from "./affinity.ts";
import { checkContainers } from "./containers.ts";
import { showStruct } from "./internal-form.ts";
import { checkDnsConfig, checkHostAliases } from "./network.ts";
import { checkHostNetworkPorts } from "./ports.ts";
import { checkOperatingSystem } from "./operating-system.ts";
import { checkPodResources, checkQuantities } from "./resources.ts";
import { checkGates, checkSpreading, checkTolerations } from "./scheduling.ts";
import { checkHostUsers, checkPodSecurityContext } from "./security.ts";
import { checkVolumes } from "./volumes.ts";
import { checkHostProcesses } from "./windows.ts";

/** Where the spec of a pod stands. */
export interface PodSpecPlace {
  /** The path of the spec. */
  readonly field: string;
  /** The name of the pod; undefined in a template, where less is checked. */
  readonly podName: string | undefined;
}

/** The spec of a pod or a template. Its defaults are filled in, unless there is none at all. */
export function checkPodSpec(spec: JsonObject, place: PodSpecPlace): readonly FieldError[] {
  const { field, podName } = place;
  // A spec that is missing gets all defaults on a real server; what has none are the containers.
  if (Object.keys(spec).length === 0) return [required(`${field}.containers`)];
  const { errors, volumes } = checkVolumes(`${field}.volumes`, spec, podName ?? "");
  const claims = objects(spec, "resourceClaims");
  const around = {
    volumes,
    claims: new Set(claims.map((claim) => text(claim, "name"))),
    gracePeriod: count(spec, "terminationGracePeriodSeconds"),
    restartPolicy: text(spec, "restartPolicy"),
    hostUsers: spec["hostUsers"] !== false,
    isPod: podName !== undefined,
  };
  return [
    ...errors,
    ...checkResourceClaims(`${field}.resourceClaims`, claims),
    ...checkContainers(field, spec, around),
    ...checkWords(field, spec),
    ...checkNames(field, spec),
    ...checkNetwork(field, spec, around.isPod),
    ...checkPlacement(field, spec),
    ...checkDeadline(`${field}.activeDeadlineSeconds`, spec["activeDeadlineSeconds"]),
    ...checkPodSecurityContext(`${field}.securityContext`, recordOf(spec["securityContext"]), spec),
    ...checkHostUsers(field, spec),
    ...checkHostProcesses(field, spec),
    ...checkOperatingSystem(field, spec),
    ...(isRecord(spec["resources"])
      ? checkPodResources(`${field}.resources`, spec["resources"], around.claims)
      : []),
    ...checkQuantities(`${field}.overhead.limits`, recordOf(spec["overhead"])),
  ];
}

// In the order in which the server lists them.
const words: readonly (readonly [name: string, ...supported: readonly string[]])[] = [
  ["restartPolicy", "Always", "OnFailure", "Never"],
  ["dnsPolicy", "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
  ["preemptionPolicy", "PreemptLowerPriority", "Never"],
];

function checkWords(field: string, spec: JsonObject): readonly FieldError[] {
  return words.flatMap(([name, ...supported]) => {
    const value = spec[name];
    if (value === "") return [required(`${field}.${name}`)];
    return value === undefined ? [] : checkListed(`${field}.${name}`, value, supported);
  });
}

const names: readonly (readonly [name: string, rule: NameRule])[] = [
  ["serviceAccountName", checkDnsSubdomain],
  ["nodeName", checkDnsSubdomain],
  ["hostname", checkDnsLabel],
  ["subdomain", checkDnsLabel],
  ["hostnameOverride", checkDnsSubdomain],
  ["priorityClassName", checkDnsSubdomain],
];

function checkNames(field: string, spec: JsonObject): readonly FieldError[] {
  const { runtimeClassName } = spec;
  return [
    ...names.flatMap(([name, rule]) => {
      const value = text(spec, name);
      return value === "" ? [] : checkText(`${field}.${name}`, value, rule);
    }),
    ...(typeof runtimeClassName === "string"
      ? checkText(`${field}.runtimeClassName`, runtimeClassName, checkDnsSubdomain)
      : []),
    ...objects(spec, "readinessGates").flatMap((gate, index) =>
      checkText(
        `${field}.readinessGates[${index}].conditionType`,
        text(gate, "conditionType"),
        checkQualifiedName,
      ),
    ),
  ];
}

function checkNetwork(field: string, spec: JsonObject, isPod: boolean): readonly FieldError[] {
  const { dnsConfig } = spec;
  const config = isRecord(dnsConfig) ? dnsConfig : undefined;
  const containers = objects(spec, "containers");
  return [
    ...(flag(spec, "hostNetwork")
      ? checkHostNetworkPorts(`${field}.containers`, containers, isPod)
      : []),
    ...checkDnsConfig(`${field}.dnsConfig`, config, text(spec, "dnsPolicy")),
    ...checkHostAliases(`${field}.hostAliases`, objects(spec, "hostAliases")),
  ];
}

function checkPlacement(field: string, spec: JsonObject): readonly FieldError[] {
  const constraints = objects(spec, "topologySpreadConstraints");
  return [
    ...checkLabels(`${field}.nodeSelector`, spec["nodeSelector"]),
    ...checkAffinity(`${field}.affinity`, recordOf(spec["affinity"])),
    ...checkTolerations(`${field}.tolerations`, objects(spec, "tolerations")),
    ...checkGates(`${field}.schedulingGates`, objects(spec, "schedulingGates")),
    ...checkSpreading(`${field}.topologySpreadConstraints`, constraints),
  ];
}

// The greatest int32.
const maxDeadline = 2_147_483_647;

function checkDeadline(field: string, seconds: unknown): readonly FieldError[] {
  if (typeof seconds !== "number" || (seconds >= 1 && seconds <= maxDeadline)) return [];
  return [invalid(field, seconds, `must be between 1 and ${maxDeadline}, inclusive`)];
}

// pkg/apis/core/validation: `validatePodResourceClaim`.
function checkResourceClaims(field: string, claims: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap((claim, index) => {
    const at = `${field}[${index}]`;
    const name = text(claim, "name");
    const errors = seen.has(name)
      ? [duplicate(`${at}.name`, name)]
      : name === ""
        ? [required(`${at}.name`)]
        : checkText(`${at}.name`, name, checkDnsLabel);
    if (name !== "") seen.add(name);
    return [...errors, ...checkClaimSource(at, claim)];
  });
}

const claimSources = ["resourceClaimName", "resourceClaimTemplateName"];

function checkClaimSource(at: string, claim: JsonObject): readonly FieldError[] {
  const given = claimSources.filter((name) => typeof claim[name] === "string");
  const errors = given.flatMap((name) =>
    checkText(`${at}.${name}`, text(claim, name), checkDnsSubdomain),
  );
  if (given.length === 1) return errors;
  const shown = showStruct(["Name", "ResourceClaimName", "ResourceClaimTemplateName"], claim);
  const problem =
    given.length > 1
      ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
      : "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
  return [invalidShown(at, shown, problem), ...errors];
}
