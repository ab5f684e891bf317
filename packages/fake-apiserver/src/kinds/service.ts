import { serviceRules } from "../rules/service.ts";
import { specDefaults } from "./defaults/fill.ts";
import { serviceDefaults, withAddressModes } from "./defaults/service.ts";
import { ServiceAllocator } from "./service-allocator.ts";
import { checkDnsLabel } from "../validation/names.ts";
import { textOf } from "../base/go-text.ts";
import type { ApiObject } from "../api/api-object.ts";
import { field, objects, orNone, text, texts } from "../base/read-fields.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Service of the core group. */
export const serviceKind: Kind = defineKind({
  version: "v1",
  kind: "Service",
  rules: serviceRules,
  defaults: (service) => withAddressModes(specDefaults(serviceDefaults)(service)),
  strategy: (host) => new ServiceAllocator(host).strategy(),
  unconditionalUpdate: true,
  nameRule: checkDnsLabel,
  subresources: [
    {
      name: "proxy",
      kind: "ServiceProxyOptions",
      verbs: ["create", "delete", "get", "patch", "update"],
    },
  ],
  shortNames: ["svc"],
  categories: ["all"],
  status: true,
  createOnUpdate: true,
  selectableFields: ["spec.clusterIP", "spec.type"],
  returnsDeletedObject: true,
  columns: [
    builtinColumn("Type", serviceType),
    builtinColumn("Cluster-IP", (service) =>
      orNone(texts(service, "spec", "clusterIPs")[0] ?? "", text(service, "spec", "clusterIP")),
    ),
    builtinColumn("External-IP", externalIp),
    builtinColumn("Port(s)", servicePorts),
    ageColumn,
    builtinColumn(
      "Selector",
      (service) => orNone(formatLabels(field(service, "spec", "selector"))),
      { wide: true },
    ),
  ],
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
    const number = `${textOf(port["port"])}${typeof node === "number" ? `:${node}` : ""}`;
    return `${number}/${text(port, "protocol") || "TCP"}`;
  });
  return orNone(ports.join(","));
}
