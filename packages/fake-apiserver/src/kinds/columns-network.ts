import { formatLabels, formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import type { JsonObject } from "../base/json.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
import { field, objects, orNone, text, texts } from "../base/read-fields.ts";

/** More list entries than this are cut off in a cell. */
const MAX_SHOWN = 3;

/** What `kubectl get services` shows. */
export const serviceColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Type",
    "How the service is exposed: ExternalName, ClusterIP, NodePort or LoadBalancer.",
    serviceType,
  ),
  builtinColumn("Cluster-IP", "The address of the service inside of the cluster.", (service) =>
    orNone(texts(service, "spec", "clusterIPs")[0] ?? "", text(service, "spec", "clusterIP")),
  ),
  builtinColumn("External-IP", "The addresses of the service outside of the cluster.", externalIp),
  builtinColumn("Port(s)", "The list of ports that are exposed by this service.", servicePorts),
  ageColumn,
  builtinColumn(
    "Selector",
    "Route service traffic to pods with label keys and values matching this selector.",
    (service) => orNone(formatLabels(field(service, "spec", "selector"))),
    { wide: true },
  ),
];

function serviceType(service: ApiObject): string {
  return text(service, "spec", "type") || "ClusterIP";
}

function externalIp(service: ApiObject): string {
  const type = serviceType(service);
  if (type === "ExternalName") return text(service, "spec", "externalName");
  const external = texts(service, "spec", "externalIPs");
  if (type !== "LoadBalancer") return orNone(external.join(","));
  const assigned = objects(service, "status", "loadBalancer", "ingress").map(
    (ingress) => text(ingress, "ip") || text(ingress, "hostname"),
  );
  return [...assigned, ...external].join(",") || "<pending>";
}

function servicePorts(service: ApiObject): string {
  const ports = objects(service, "spec", "ports").map((port) => {
    const node = field(port, "nodePort");
    const number = `${String(port["port"])}${typeof node === "number" ? `:${node}` : ""}`;
    return `${number}/${text(port, "protocol") || "TCP"}`;
  });
  return orNone(ports.join(","));
}

/** What `kubectl get endpoints` shows. */
export const endpointsColumns: readonly PrinterColumn[] = [
  builtinColumn("Endpoints", "The addresses and ports of the endpoints.", endpoints),
  ageColumn,
];

function endpoints(object: ApiObject): string {
  const all = objects(object, "subsets").flatMap((subset) => {
    const addresses = objects(subset, "addresses").map((address) => text(address, "ip"));
    const ports = objects(subset, "ports");
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) =>
      addresses.map((address) => `${address}:${String(port["port"])}`),
    );
  });
  return shortened(all);
}

/** What `kubectl get endpointslices` shows. */
export const endpointSliceColumns: readonly PrinterColumn[] = [
  builtinColumn("AddressType", "The type of address carried by this EndpointSlice.", (slice) =>
    text(slice, "addressType"),
  ),
  builtinColumn(
    "Ports",
    "The list of network ports exposed by each endpoint in this slice.",
    (slice) => unsetOr(objects(slice, "ports").map(portNumber)),
  ),
  builtinColumn("Endpoints", "The list of network endpoints in this slice.", (slice) =>
    unsetOr(objects(slice, "endpoints").flatMap((one) => texts(one, "addresses"))),
  ),
  ageColumn,
];

function portNumber(port: JsonObject): string {
  const number = port["port"];
  return typeof number === "number" ? String(number) : "*";
}

function unsetOr(entries: readonly string[]): string {
  return entries.length === 0 ? "<unset>" : shortened(entries);
}

function shortened(entries: readonly string[]): string {
  if (entries.length <= MAX_SHOWN) return orNone(entries.join(","));
  return `${entries.slice(0, MAX_SHOWN).join(",")} + ${entries.length - MAX_SHOWN} more...`;
}

/** What `kubectl get ingresses` shows. */
export const ingressColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Class",
    "The name of the IngressClass resource that should be used for additional configuration.",
    (ingress) => orNone(text(ingress, "spec", "ingressClassName")),
  ),
  builtinColumn(
    "Hosts",
    "Hosts that incoming requests are matched against before the ingress rule.",
    hosts,
  ),
  builtinColumn(
    "Address",
    "Address is a list containing ingress points for the load-balancer.",
    (ingress) =>
      objects(ingress, "status", "loadBalancer", "ingress")
        .map((point) => text(point, "ip") || text(point, "hostname"))
        .join(","),
  ),
  builtinColumn("Ports", "Ports of TLS configurations that open.", (ingress) =>
    objects(ingress, "spec", "tls").length > 0 ? "80, 443" : "80",
  ),
  ageColumn,
];

function hosts(ingress: ApiObject): string {
  const names = objects(ingress, "spec", "rules")
    .map((rule) => text(rule, "host"))
    .filter((host) => host !== "");
  return names.length === 0 ? "*" : shortened(names);
}

/** What `kubectl get ingressclasses` shows. */
export const ingressClassColumns: readonly PrinterColumn[] = [
  builtinColumn("Controller", "Controller that is responsible for handling this class.", (object) =>
    text(object, "spec", "controller"),
  ),
  builtinColumn("Parameters", "A reference to a resource with additional parameters.", parameters),
  ageColumn,
];

function parameters(object: ApiObject): string {
  const reference = field(object, "spec", "parameters");
  if (reference === undefined) return "<none>";
  const group = text(reference, "apiGroup");
  const kind = group === "" ? text(reference, "kind") : `${text(reference, "kind")}.${group}`;
  return `${kind}/${text(reference, "name")}`;
}

/** What `kubectl get networkpolicies` shows. */
export const networkPolicyColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Pod-Selector",
    "Selects the pods to which this NetworkPolicy object applies.",
    (policy) => orNone(formatLabelSelector(field(policy, "spec", "podSelector"))),
  ),
  ageColumn,
];
