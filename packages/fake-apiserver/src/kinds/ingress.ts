import type { ApiObject } from "../api/resource-definition.ts";
import { field, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn, shortened } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** IngressClass of networking.k8s.io. */
export const ingressClassKind: Kind = defineKind({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IngressClass",
  plural: "ingressclasses",
  cluster: true,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn(
      "Controller",
      "Controller that is responsible for handling this class.",
      (object) => text(object, "spec", "controller"),
    ),
    builtinColumn(
      "Parameters",
      "A reference to a resource with additional parameters.",
      parameters,
    ),
    ageColumn,
  ],
});

/** Ingress of networking.k8s.io. */
export const ingressKind: Kind = defineKind({
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  plural: "ingresses",
  shortNames: ["ing"],
  status: true,
  generation: true,
  unconditionalUpdate: true,
  columns: [
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
  ],
  docs: {
    "networking.Ingress": {
      description:
        "Ingress is a collection of rules that let connections from outside reach services.",
      fields: {
        spec: ["networking.IngressSpec", "The desired state of the ingress."],
        status: ["object", "The current state of the ingress."],
      },
    },
    "networking.IngressSpec": {
      description: "IngressSpec describes the ingress a user wishes.",
      fields: {
        ingressClassName: ["string", "The IngressClass that implements the ingress."],
        rules: [
          "[]networking.IngressRule",
          "Rules by host; traffic that fits none goes to the default backend.",
        ],
        defaultBackend: ["object", "The backend of requests that fit no rule."],
        tls: ["[]object", "TLS configuration by host."],
      },
    },
    "networking.IngressRule": {
      description: "IngressRule maps the paths of a host to backends.",
      fields: {
        host: ["string", "The host name, possibly with a wildcard."],
        http: ["object", "Paths and their backends."],
      },
    },
  },
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
