import { field, orNone } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** NetworkPolicy of networking.k8s.io. */
export const networkPolicyKind: Kind = defineKind({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  shortNames: ["netpol"],
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn(
      "Pod-Selector",
      "Selects the pods to which this NetworkPolicy object applies.",
      (policy) => orNone(formatLabelSelector(field(policy, "spec", "podSelector"))),
    ),
    ageColumn,
  ],
  docs: {
    "networking.NetworkPolicy": {
      description: "NetworkPolicy describes what traffic is allowed for a set of pods.",
      fields: { spec: ["networking.NetworkPolicySpec", "The desired behaviour of the policy."] },
    },
    "networking.NetworkPolicySpec": {
      description: "NetworkPolicySpec is the specification of a policy.",
      fields: {
        podSelector: ["meta.LabelSelector", "The pods the policy applies to."],
        ingress: ["[]object", "Rules for incoming traffic."],
        egress: ["[]object", "Rules for outgoing traffic."],
        policyTypes: ["[]string", "The directions the policy is about: Ingress, Egress."],
      },
    },
  },
});
