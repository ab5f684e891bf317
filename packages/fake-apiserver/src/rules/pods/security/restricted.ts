import { objects, text, texts } from "../../../base/read-fields.ts";
import {
  addedCapabilities,
  adding,
  allowedProfiles,
  appArmor,
  hostNamespaces,
  hostPorts,
  privileged,
  probeHosts,
  procMountRestricted,
  seLinux,
  seccompSet,
  seccompType,
  sysctls,
  windowsHostProcess,
} from "./baseline.ts";
import {
  type Checked,
  containersNamed,
  plural,
  quoted,
  settersOf,
  type Since,
  sortedSet,
  type Violation,
} from "./check.ts";

// In the order of their names in k8s.io/pod-security-admission, which is that of the answers.
export const restricted: readonly Since[] = [
  [appArmor, 0],
  [addedCapabilitiesOnce, 0],
  [hostNamespaces, 0],
  [hostPorts, 0],
  [probeHosts, 34],
  [privileged, 0],
  [procMountOfBaseline, 0],
  [seLinux, 0],
  [sysctls, 0],
  [windowsHostProcess, 0],
  [privilegeEscalation, 8],
  [droppedCapabilities, 22],
  [procMountRestricted, 35],
  [restrictedVolumes, 0],
  [runAsNonRoot, 0],
  [runAsUser, 23],
  [seccompRestricted, 19],
];

// From 1.22 on the restricted standard has its own, which comes later.
function addedCapabilitiesOnce(pod: Checked): Violation | undefined {
  return pod.minor >= 22 ? undefined : addedCapabilities(pod);
}

// From 1.35 on the restricted standard has its own, which comes later.
function procMountOfBaseline(pod: Checked): Violation | undefined {
  return pod.minor >= 35 ? undefined : procMountRestricted(pod);
}

function seccompRestricted(pod: Checked): Violation | undefined {
  if (pod.minor >= 25 && pod.isWindows) return undefined;
  const set = seccompSet(pod, (type) => type !== undefined && !allowedProfiles.has(type));
  if (set !== undefined) return set;
  if (seccompType(pod.context) !== undefined) return undefined;
  const missing = pod.containers.filter(({ context }) => seccompType(context) === undefined);
  if (missing.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${containersNamed(missing)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

function privilegeEscalation({ containers, isWindows, minor }: Checked): Violation | undefined {
  if (isWindows && minor >= 25) return undefined;
  const bad = containers.filter(({ context }) => context["allowPrivilegeEscalation"] !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containersNamed(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function droppedCapabilities(pod: Checked): Violation | undefined {
  if (pod.isWindows && pod.minor >= 25) return undefined;
  const keeping = pod.containers.filter(
    ({ context }) => !texts(context, "capabilities", "drop").includes("ALL"),
  );
  const details: string[] = [];
  if (keeping.length > 0) {
    details.push(`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  }
  const added = adding(pod, (name) => name !== "NET_BIND_SERVICE");
  if (added !== undefined) details.push(added);
  if (details.length === 0) return undefined;
  return { reason: "unrestricted capabilities", detail: details.join("; ") };
}

const harmlessVolumes: readonly string[] = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

function restrictedVolumes({ spec }: Checked): Violation | undefined {
  const bad = objects(spec, "volumes").filter(
    (volume) => !harmlessVolumes.some((type) => volume[type] !== undefined),
  );
  if (bad.length === 0) return undefined;
  const names = bad.map((volume) => text(volume, "name"));
  const types = sortedSet(
    bad.map((volume) => Object.keys(volume).find((name) => name !== "name") ?? "unknown"),
  );
  const what = plural(types, "restricted volume type", "restricted volume types");
  const who = `${plural(names, "volume", "volumes")} ${quoted(names)}`;
  return {
    reason: "restricted volume types",
    detail: `${who} ${plural(names, "uses", "use")} ${what} ${quoted(types)}`,
  };
}

function runAsNonRoot({ containers, context, hasOwnUsers, minor }: Checked): Violation | undefined {
  if (hasOwnUsers && minor >= 35) return undefined;
  const reason = "runAsNonRoot != true";
  const bad = containers.filter((container) => container.context["runAsNonRoot"] === false);
  const setters = settersOf(context["runAsNonRoot"] === false, bad);
  if (setters.length > 0) {
    const detail = `${setters.join(" and ")} must not set securityContext.runAsNonRoot=false`;
    return { reason, detail };
  }
  if (context["runAsNonRoot"] === true) return undefined;
  const missing = containers.filter((container) => container.context["runAsNonRoot"] !== true);
  if (missing.length === 0) return undefined;
  const detail = `pod or ${containersNamed(missing)} must set securityContext.runAsNonRoot=true`;
  return { reason, detail };
}

function runAsUser({ containers, context, hasOwnUsers, minor }: Checked): Violation | undefined {
  if (hasOwnUsers && minor >= 35) return undefined;
  const bad = containers.filter((container) => container.context["runAsUser"] === 0);
  const setters = settersOf(context["runAsUser"] === 0, bad);
  if (setters.length === 0) return undefined;
  return { reason: "runAsUser=0", detail: `${setters.join(" and ")} must not set runAsUser=0` };
}
