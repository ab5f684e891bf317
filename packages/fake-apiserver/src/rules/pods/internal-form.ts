import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { goJson } from "../../base/go-text.ts";

/**
 * The server shows some structs as its own types have them: all fields, in their order, by the
 * names of the language, what is not set as null.
 */
export function showStruct(names: readonly string[], object: JsonObject): string {
  const members = names.map((name) => `"${name}":${showMember(name, object[apiName(name)])}`);
  return `{${members.join(",")}}`;
}

/** A claim for a volume as the server shows it. */
export function showClaim({ metadata, spec, status }: JsonObject): string {
  const members = isRecord(metadata) ? goJson(metadata).slice(1, -1) : "";
  const parts = [
    ...(members === "" ? [] : [members]),
    `"Spec":${showStruct(claimSpec, isRecord(spec) ? spec : {})}`,
    `"Status":${showStruct(claimStatus, isRecord(status) ? status : {})}`,
  ];
  return `{${parts.join(",")}}`;
}

/** The security settings of a container as the server shows them. */
export function showSecurityContext(context: JsonObject): string {
  return showStruct(securityContext, context);
}

/** A term of a selector of nodes as the server shows it. */
export function showNodeTerm({ matchExpressions, matchFields }: JsonObject): string {
  const [expressions, fields] = [matchExpressions, matchFields].map(showRequirements);
  return `{"MatchExpressions":${expressions},"MatchFields":${fields}}`;
}

function showRequirements(list: unknown): string {
  if (!Array.isArray(list)) return "null";
  const names = ["Key", "Operator", "Values"];
  return `[${list.map((one) => showStruct(names, isRecord(one) ? one : {})).join(",")}]`;
}

// pkg/apis/core/types.go
const claimSpec = [
  "AccessModes",
  "Selector",
  "Resources",
  "VolumeName",
  "StorageClassName",
  "VolumeMode",
  "DataSource",
  "DataSourceRef",
  "VolumeAttributesClassName",
];
const claimStatus = [
  "Phase",
  "AccessModes",
  "Capacity",
  "Conditions",
  "AllocatedResources",
  "AllocatedResourceStatuses",
  "CurrentVolumeAttributesClassName",
  "ModifyVolumeStatus",
  "HealthStatus",
];
const securityContext = [
  "Capabilities",
  "Privileged",
  "SELinuxOptions",
  "WindowsOptions",
  "RunAsUser",
  "RunAsGroup",
  "RunAsNonRoot",
  "ReadOnlyRootFilesystem",
  "AllowPrivilegeEscalation",
  "ProcMount",
  "SeccompProfile",
  "AppArmorProfile",
];
const structs: Readonly<Record<string, readonly string[]>> = {
  Capabilities: ["Add", "Drop"],
  SELinuxOptions: ["User", "Role", "Type", "Level"],
  WindowsOptions: ["GMSACredentialSpecName", "GMSACredentialSpec", "RunAsUserName", "HostProcess"],
  SeccompProfile: ["Type", "LocalhostProfile"],
  AppArmorProfile: ["Type", "LocalhostProfile"],
  RollingUpdate: ["MaxUnavailable", "MaxSurge"],
  Resources: ["Limits", "Requests"],
};
// Strings that are not pointers are empty rather than null.
const emptyTexts = new Set(["Key", "Operator", "User", "Role", "Type", "Level", "VolumeName"]);

function showMember(name: string, value: unknown): string {
  const struct = structs[name];
  if (struct !== undefined && isRecord(value)) return showStruct(struct, value);
  if (value === undefined) return emptyTexts.has(name) ? '""' : "null";
  return goJson(value);
}

function apiName(name: string): string {
  if (name.startsWith("GMSA")) return `gmsa${name.slice(4)}`;
  if (name.startsWith("SE")) return `se${name.slice(2)}`;
  return name.charAt(0).toLowerCase() + name.slice(1);
}
