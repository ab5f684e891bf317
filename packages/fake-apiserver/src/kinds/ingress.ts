import { ingressRules, ingressClassRules } from "../rules/ingress.ts";
import { ingressClassDefaults } from "./defaults/registrations.ts";
import { specDefaults } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { field, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn, shortened } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** IngressClass of networking.k8s.io. */
export const ingressClassKind: Kind = defineKind({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IngressClass",
  rules: ingressClassRules,
  defaults: specDefaults(ingressClassDefaults),
  plural: "ingressclasses",
  cluster: true,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("Controller", (object) => text(object, "spec", "controller")),
    builtinColumn("Parameters", parameters),
    ageColumn,
  ],
});

/** Ingress of networking.k8s.io. */
export const ingressKind: Kind = defineKind({
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  rules: ingressRules,
  plural: "ingresses",
  shortNames: ["ing"],
  status: true,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("Class", (ingress) => orNone(text(ingress, "spec", "ingressClassName"))),
    builtinColumn("Hosts", hosts),
    builtinColumn("Address", (ingress) =>
      objects(ingress, "status", "loadBalancer", "ingress")
        .map((point) => text(point, "ip") || text(point, "hostname"))
        .join(","),
    ),
    builtinColumn("Ports", (ingress) =>
      objects(ingress, "spec", "tls").length > 0 ? "80, 443" : "80",
    ),
    ageColumn,
  ],
});

function parameters(object: ApiObject): string {
  const reference = field(object, "spec", "parameters");
  if (reference === undefined) return "<none>";
  const group = text(reference, "apiGroup");
  const kind = group === "" ? text(reference, "kind") : `${text(reference, "kind")}.${group}`;
  return `${kind}/${text(reference, "name")}`;
}

function hosts(ingress: ApiObject): string {
  const names = objects(ingress, "spec", "rules")
    .map((rule) => text(rule, "host"))
    .filter((host) => host !== "");
  return names.length === 0 ? "*" : shortened(names);
}
