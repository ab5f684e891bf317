import { checkDns1035Label } from "../validation/names.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import { field, objects, orNone, text, texts } from "../base/read-fields.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Service of the core group. */
export const serviceKind: Kind = defineKind({
  version: "v1",
  kind: "Service",
  unconditionalUpdate: true,
  nameRule: checkDns1035Label,
  shortNames: ["svc"],
  categories: ["all"],
  status: true,
  createOnUpdate: true,
  selectableFields: ["spec.clusterIP", "spec.type"],
  returnsDeletedObject: true,
  columns: [
    builtinColumn(
      "Type",
      "How the service is exposed: ExternalName, ClusterIP, NodePort or LoadBalancer.",
      serviceType,
    ),
    builtinColumn("Cluster-IP", "The address of the service inside of the cluster.", (service) =>
      orNone(texts(service, "spec", "clusterIPs")[0] ?? "", text(service, "spec", "clusterIP")),
    ),
    builtinColumn(
      "External-IP",
      "The addresses of the service outside of the cluster.",
      externalIp,
    ),
    builtinColumn("Port(s)", "The list of ports that are exposed by this service.", servicePorts),
    ageColumn,
    builtinColumn(
      "Selector",
      "Route service traffic to pods with label keys and values matching this selector.",
      (service) => orNone(formatLabels(field(service, "spec", "selector"))),
      { wide: true },
    ),
  ],
  docs: {
    "core.Service": {
      description:
        "Service is a named abstraction of a network service: a port to listen at, and a selector that says which pods answer.",
      fields: {
        spec: ["core.ServiceSpec", "The behaviour of the service."],
        status: [
          "core.ServiceStatus",
          "The most recently observed state of the service. Read-only.",
        ],
      },
    },
    "core.ServiceSpec": {
      description: "ServiceSpec describes the attributes a user sets on a service.",
      fields: {
        type: [
          "string",
          "How the service is exposed: ClusterIP (default), NodePort, LoadBalancer or ExternalName.",
        ],
        selector: ["map", "The labels of the pods traffic is routed to."],
        ports: ["[]core.ServicePort", "The ports the service exposes."],
        clusterIP: [
          "string",
          "The address of the service, or None for a headless one. Cannot be changed.",
        ],
        clusterIPs: ["[]string", "The addresses of the service, one per family."],
        externalIPs: [
          "[]string",
          "Addresses at which nodes accept traffic for the service as well.",
        ],
        externalName: [
          "string",
          "The name that is given as an alias, for services of type ExternalName.",
        ],
        sessionAffinity: ["string", "ClientIP or None (default)."],
        externalTrafficPolicy: [
          "string",
          "How nodes distribute traffic from outside: Cluster or Local.",
        ],
        internalTrafficPolicy: [
          "string",
          "How nodes distribute traffic from inside: Cluster or Local.",
        ],
        ipFamilies: ["[]string", "The address families of the service: IPv4, IPv6."],
        ipFamilyPolicy: ["string", "SingleStack, PreferDualStack or RequireDualStack."],
        publishNotReadyAddresses: [
          "boolean",
          "Whether addresses of pods that are not ready are published.",
        ],
      },
    },
    "core.ServicePort": {
      description: "ServicePort contains information on a service's port.",
      fields: {
        name: [
          "string",
          "The name of the port, unique within the service; optional if there is only one.",
        ],
        port: ["integer", "The port the service exposes."],
        targetPort: ["intOrString", "Number or name of the port of the pods."],
        nodePort: ["integer", "The port on each node, for services that have one."],
        protocol: ["string", "TCP (default), UDP or SCTP."],
        appProtocol: ["string", "The application protocol of the port, as a hint."],
      },
      required: ["port"],
    },
    "core.ServiceStatus": {
      description: "ServiceStatus is the current state of a service.",
      fields: {
        loadBalancer: ["object", "The current state of the load balancer, if there is one."],
        conditions: ["[]meta.Condition", "The current state of the service."],
      },
    },
  },
});

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
