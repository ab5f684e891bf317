import { networkPolicyRules } from "../rules/network.ts";
import type { JsonObject } from "@listwatch/core-fifo/base";
import { each, fill, fillAbsent, specDefaults } from "./defaults/fill.ts";
import { field, orNone, objects } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** NetworkPolicy of networking.k8s.io. */
export const networkPolicyKind: Kind = defineKind({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  rules: networkPolicyRules,
  defaults: specDefaults(networkPolicyDefaults),
  plural: "networkpolicies",
  shortNames: ["netpol"],
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("Pod-Selector", (policy) =>
      orNone(formatLabelSelector(field(policy, "spec", "podSelector"))),
    ),
    ageColumn,
  ],
});

/** The defaults of the spec of a NetworkPolicy. */
function networkPolicyDefaults(spec: JsonObject): JsonObject {
  const ports = (rule: JsonObject): JsonObject =>
    each(rule, "ports", (port) => fillAbsent(port, { protocol: "TCP" }));
  const filled = each(each(spec, "ingress", ports), "egress", ports);
  const policyTypes = objects(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  return fill(filled, { policyTypes });
}
