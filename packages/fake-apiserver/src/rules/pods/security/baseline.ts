import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import { compareBytes, goQuote } from "../../../base/go-text.ts";
import { count, field, objects, text, texts } from "../../../base/read-fields.ts";
import {
  badValues,
  type Checked,
  type Container,
  containersNamed,
  plural,
  quoted,
  settersOf,
  type Since,
  sortedSet,
  type Violation,
} from "./check.ts";

// In the order of their names in k8s.io/pod-security-admission, which is that of the answers.
export const baseline: readonly Since[] = [
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

export const allowedProfiles: ReadonlySet<string> = new Set(["RuntimeDefault", "Localhost"]);
const armorPrefix = "container.apparmor.security.beta.kubernetes.io/";

export function appArmor(pod: Checked): Violation | undefined {
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

export function addedCapabilities(pod: Checked): Violation | undefined {
  const found = adding(pod, (name) => !defaultCapabilities.has(name));
  return found === undefined ? undefined : { reason: "non-default capabilities", detail: found };
}

export function adding(pod: Checked, isForbidden: (name: string) => boolean): string | undefined {
  const added = ({ context }: Container): readonly string[] =>
    texts(context, "capabilities", "add").filter(isForbidden);
  const bad = pod.containers.filter((container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedSet(bad.flatMap(added));
  return `${containersNamed(bad)} must not include ${quoted(names)} in securityContext.capabilities.add`;
}

export function hostNamespaces({ spec }: Checked): Violation | undefined {
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

export function hostPorts({ containers }: Checked): Violation | undefined {
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

export function probeHosts({ containers }: Checked): Violation | undefined {
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

export function privileged({ containers }: Checked): Violation | undefined {
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

export function procMountRestricted({ containers }: Checked): Violation | undefined {
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

export function seLinux({ containers, context, minor }: Checked): Violation | undefined {
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

export function seccompType(context: JsonObject): string | undefined {
  const profile = context["seccompProfile"];
  return profile === undefined ? undefined : text(profile, "type");
}

export function seccompSet(
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

export function sysctls({ context, minor }: Checked): Violation | undefined {
  const names = objects(context, "sysctls")
    .map((one) => text(one, "name"))
    .filter((name) => (safeSysctls.get(name) ?? Number.POSITIVE_INFINITY) > minor);
  return names.length === 0 ? undefined : { reason: "forbidden sysctls", detail: names.join(", ") };
}

export function windowsHostProcess({ containers, context }: Checked): Violation | undefined {
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
