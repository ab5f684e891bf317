import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../../api/resource-definition.ts";
import { compareBytes, goQuote } from "../../base/go-text.ts";
import { count, field, objects, text, texts } from "../../base/read-fields.ts";

/** How much a pod may ask of its node: kubernetes.io, "Pod Security Standards". */
export type SecurityLevel = "privileged" | "baseline" | "restricted";

/** What a pod does that a standard forbids. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** A pod, or the template of pods. */
export interface PodShape {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

interface Container {
  readonly name: string;
  readonly context: JsonObject;
  readonly whole: JsonObject;
}

interface Checked extends PodShape {
  readonly context: JsonObject;
  /** In the order in which they start. */
  readonly containers: readonly Container[];
  readonly isWindows: boolean;
  /** Its users are not those of the node. */
  readonly hasOwnUsers: boolean;
  /** The minor version of Kubernetes whose standard counts. */
  readonly minor: number;
}

type Check = (pod: Checked) => Violation | undefined;

/** A check with the minor version that has it first. */
type Since = readonly [check: Check, minor: number];

// In the order of their names in k8s.io/pod-security-admission, which is that of the answers.
const baseline: readonly Since[] = [
  [appArmor, 0],
  [addedCapabilities, 0],
  [hostNamespaces, 0],
  [hostPaths, 0],
  [hostPorts, 0],
  [probeHosts, 34],
  [privileged, 0],
  [procMount, 0],
  [seLinux, 0],
  [seccompBaseline, 19],
  [sysctls, 0],
  [windowsHostProcess, 0],
];

const restricted: readonly Since[] = [
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

/** What a pod does against a standard, as it is in a minor version of Kubernetes. */
export function violationsOf(
  { metadata, spec }: PodShape,
  level: SecurityLevel,
  minor: number,
): readonly Violation[] {
  if (level === "privileged") return [];
  const pod: Checked = {
    metadata,
    spec,
    minor,
    context: recordOf(spec["securityContext"]),
    containers: ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
      objects(spec, list).map((whole) => ({
        whole,
        name: text(whole, "name"),
        context: recordOf(whole["securityContext"]),
      })),
    ),
    isWindows: text(spec, "os", "name") === "windows",
    hasOwnUsers: spec["hostUsers"] === false,
  };
  const checks = level === "baseline" ? baseline : restricted;
  return checks.flatMap(([check, since]) => (minor < since ? [] : (check(pod) ?? [])));
}

/** `reason (detail), reason (detail)` */
export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .map(({ detail, reason }) => (detail === "" ? reason : `${reason} (${detail})`))
    .join(", ");
}

/** The pod or pod template of an object. */
export function podShape(object: ApiObject, path: readonly string[]): PodShape | undefined {
  const found = path.length === 0 ? object : field(object, ...path);
  const { metadata, spec } = recordOf(found);
  return spec === undefined ? undefined : { metadata: recordOf(metadata), spec: recordOf(spec) };
}

const allowedProfiles = new Set(["RuntimeDefault", "Localhost"]);
const armorPrefix = "container.apparmor.security.beta.kubernetes.io/";

function appArmor(pod: Checked): Violation | undefined {
  const typeOf = (context: JsonObject): string | undefined => {
    const profile = context["appArmorProfile"];
    return profile === undefined ? undefined : text(profile, "type");
  };
  const isBad = (type: string | undefined): boolean =>
    type !== undefined && !allowedProfiles.has(type);
  const bad = pod.containers.filter(({ context }) => isBad(typeOf(context)));
  const setters = settersOf(isBad(typeOf(pod.context)), bad);
  const values = badValues(pod, typeOf, isBad);
  const annotations = Object.entries(recordOf(pod.metadata["annotations"]))
    .filter(([name, value]) => name.startsWith(armorPrefix) && !isArmorAllowed(value))
    .map(([name, value]) => `${name}=${goQuote(String(value))}`)
    .toSorted(compareBytes);
  if (annotations.length > 0) setters.push(plural(annotations, "annotation", "annotations"));
  if (setters.length === 0) return undefined;
  const all = [...values, ...annotations];
  return {
    reason: plural(all, "forbidden AppArmor profile", "forbidden AppArmor profiles"),
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoted(all)}`,
  };
}

function isArmorAllowed(value: unknown): boolean {
  return value === "" || value === "runtime/default" || String(value).startsWith("localhost/");
}

// The capabilities that container runtimes give by default.
const defaultCapabilities = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

function addedCapabilities(pod: Checked): Violation | undefined {
  const found = adding(pod, (name) => !defaultCapabilities.has(name));
  return found === undefined ? undefined : { reason: "non-default capabilities", detail: found };
}

// From 1.22 on the restricted standard has its own, which comes later.
function addedCapabilitiesOnce(pod: Checked): Violation | undefined {
  return pod.minor >= 22 ? undefined : addedCapabilities(pod);
}

function adding(pod: Checked, isForbidden: (name: string) => boolean): string | undefined {
  const added = ({ context }: Container): readonly string[] =>
    texts(context, "capabilities", "add").filter(isForbidden);
  const bad = pod.containers.filter((container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedSet(bad.flatMap(added));
  return `${containersNamed(bad)} must not include ${quoted(names)} in securityContext.capabilities.add`;
}

function hostNamespaces({ spec }: Checked): Violation | undefined {
  const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => spec[name] === true);
  if (shared.length === 0) return undefined;
  return { reason: "host namespaces", detail: shared.map((name) => `${name}=true`).join(", ") };
}

function hostPaths({ spec }: Checked): Violation | undefined {
  const names = objects(spec, "volumes")
    .filter((volume) => volume["hostPath"] !== undefined)
    .map((volume) => text(volume, "name"));
  if (names.length === 0) return undefined;
  return {
    reason: "hostPath volumes",
    detail: `${plural(names, "volume", "volumes")} ${quoted(names)}`,
  };
}

function hostPorts({ containers }: Checked): Violation | undefined {
  const portsOf = ({ whole }: Container): readonly string[] =>
    objects(whole, "ports")
      .map((port) => count(port, "hostPort"))
      .filter((port) => port !== 0)
      .map(String);
  const bad = containers.filter((container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedSet(bad.flatMap(portsOf));
  const what = plural(ports, "hostPort", "hostPorts");
  return {
    reason: "hostPort",
    detail: `${containersNamed(bad)} ${plural(bad, "uses", "use")} ${what} ${ports.join(", ")}`,
  };
}

function probeHosts({ containers }: Checked): Violation | undefined {
  const hostsOf = ({ whole }: Container): readonly string[] =>
    [
      ...["livenessProbe", "readinessProbe", "startupProbe"].map((name) => whole[name]),
      ...["postStart", "preStop"].map((name) => field(whole, "lifecycle", name)),
    ]
      .flatMap((handler) => [text(handler, "httpGet", "host"), text(handler, "tcpSocket", "host")])
      .filter((host) => host !== "");
  const bad = containers.filter((container) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedSet(bad.map(({ name }) => name));
  const hosts = sortedSet(bad.flatMap(hostsOf));
  const who = `${plural(names, "container", "containers")} ${quoted(names)}`;
  const what = plural(hosts, "probe or lifecycle host", "probe or lifecycle hosts");
  return {
    reason: "probe or lifecycle host",
    detail: `${who} ${plural(names, "uses", "use")} ${what} ${quoted(hosts)}`,
  };
}

function privileged({ containers }: Checked): Violation | undefined {
  const bad = containers.filter(({ context }) => context["privileged"] === true);
  if (bad.length === 0) return undefined;
  return {
    reason: "privileged",
    detail: `${containersNamed(bad)} must not set securityContext.privileged=true`,
  };
}

function procMount(pod: Checked): Violation | undefined {
  return pod.minor >= 35 && pod.hasOwnUsers ? undefined : procMountRestricted(pod);
}

// From 1.35 on the restricted standard has its own, which comes later.
function procMountOfBaseline(pod: Checked): Violation | undefined {
  return pod.minor >= 35 ? undefined : procMountRestricted(pod);
}

function procMountRestricted({ containers }: Checked): Violation | undefined {
  const bad = containers.filter(({ context }) => {
    const type = context["procMount"];
    return typeof type === "string" && type !== "Default";
  });
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map(({ context }) => text(context, "procMount")));
  return {
    reason: "procMount",
    detail: `${containersNamed(bad)} must not set securityContext.procMount to ${quoted(types)}`,
  };
}

const containerTypes = ["", "container_t", "container_init_t", "container_kvm_t"];

function seLinux({ containers, context, minor }: Checked): Violation | undefined {
  const allowed = new Set([...containerTypes, ...(minor >= 31 ? ["container_engine_t"] : [])]);
  const optionsOf = (one: JsonObject): JsonObject => recordOf(one["seLinuxOptions"]);
  const isBad = (options: JsonObject): boolean =>
    !allowed.has(text(options, "type")) ||
    text(options, "user") !== "" ||
    text(options, "role") !== "";
  const isPodBad = isBad(optionsOf(context));
  const bad = containers.filter((container) => isBad(optionsOf(container.context)));
  const setters = settersOf(isPodBad, bad);
  if (setters.length === 0) return undefined;
  const all = [...(isPodBad ? [context] : []), ...bad.map((one) => one.context)].map(optionsOf);
  const types = sortedSet(all.map((one) => text(one, "type"))).filter((one) => !allowed.has(one));
  const data = types.length > 0 ? [`${plural(types, "type", "types")} ${quoted(types)}`] : [];
  for (const name of ["user", "role"]) {
    if (all.some((one) => text(one, name) !== "")) data.push(`${name} may not be set`);
  }
  return {
    reason: "seLinuxOptions",
    detail: `${setters.join(" and ")} set forbidden securityContext.seLinuxOptions: ${data.join("; ")}`,
  };
}

function seccompBaseline(pod: Checked): Violation | undefined {
  return seccompSet(pod, (type) => type !== undefined && !allowedProfiles.has(type));
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

function seccompType(context: JsonObject): string | undefined {
  const profile = context["seccompProfile"];
  return profile === undefined ? undefined : text(profile, "type");
}

function seccompSet(
  pod: Checked,
  isBad: (type: string | undefined) => boolean,
): Violation | undefined {
  const bad = pod.containers.filter(({ context }) => isBad(seccompType(context)));
  const setters = settersOf(isBad(seccompType(pod.context)), bad);
  if (setters.length === 0) return undefined;
  const values = quoted(badValues(pod, seccompType, isBad));
  return {
    reason: "seccompProfile",
    detail: `${setters.join(" and ")} must not set securityContext.seccompProfile.type to ${values}`,
  };
}

// Each with the minor version that allows it first.
const safeSysctls: ReadonlyMap<string, number> = new Map([
  ["kernel.shm_rmid_forced", 0],
  ["net.ipv4.ip_local_port_range", 0],
  ["net.ipv4.tcp_syncookies", 0],
  ["net.ipv4.ping_group_range", 0],
  ["net.ipv4.ip_unprivileged_port_start", 0],
  ["net.ipv4.ip_local_reserved_ports", 27],
  ["net.ipv4.tcp_keepalive_time", 29],
  ["net.ipv4.tcp_fin_timeout", 29],
  ["net.ipv4.tcp_keepalive_intvl", 29],
  ["net.ipv4.tcp_keepalive_probes", 29],
  ["net.ipv4.tcp_rmem", 32],
  ["net.ipv4.tcp_wmem", 32],
]);

function sysctls({ context, minor }: Checked): Violation | undefined {
  const names = objects(context, "sysctls")
    .map((one) => text(one, "name"))
    .filter((name) => (safeSysctls.get(name) ?? Number.POSITIVE_INFINITY) > minor);
  return names.length === 0 ? undefined : { reason: "forbidden sysctls", detail: names.join(", ") };
}

function windowsHostProcess({ containers, context }: Checked): Violation | undefined {
  const isBad = (one: JsonObject): boolean => field(one, "windowsOptions", "hostProcess") === true;
  const bad = containers.filter((container) => isBad(container.context));
  // The containers come first, as nowhere else.
  const setters = settersOf(false, bad);
  if (isBad(context)) setters.push("pod");
  if (setters.length === 0) return undefined;
  return {
    reason: "hostProcess",
    detail: `${setters.join(" and ")} must not set securityContext.windowsOptions.hostProcess=true`,
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

function settersOf(isPod: boolean, containers: readonly Container[]): string[] {
  return [
    ...(isPod ? ["pod"] : []),
    ...(containers.length > 0 ? [containersNamed(containers)] : []),
  ];
}

function badValues(
  { containers, context }: Checked,
  read: (context: JsonObject) => string | undefined,
  isBad: (value: string | undefined) => boolean,
): readonly string[] {
  const values = [context, ...containers.map((one) => one.context)].map(read).filter(isBad);
  return sortedSet(values.map((value) => value ?? ""));
}

function containersNamed(containers: readonly Container[]): string {
  const names = containers.map(({ name }) => name);
  return `${plural(names, "container", "containers")} ${quoted(names)}`;
}

function plural(list: readonly unknown[], one: string, many: string): string {
  return list.length === 1 ? one : many;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function sortedSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted(compareBytes);
}
