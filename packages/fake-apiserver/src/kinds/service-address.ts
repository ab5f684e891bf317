import { field, text, texts } from "../base/read-fields.ts";
import type { ApiObject } from "../api/api-object.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { addressProblems } from "../validation/addresses.ts";
import { ipAddressRules, serviceRangeRules } from "../rules/service-address.ts";

const networking = { group: "networking.k8s.io", version: "v1", cluster: true } as const;

/** IPAddress of networking.k8s.io: an address that is taken, by a service mostly. */
export const ipAddressKind: Kind = defineKind({
  ...networking,
  kind: "IPAddress",
  nameRule: addressProblems,
  rules: ipAddressRules,
  unconditionalUpdate: true,
  plural: "ipaddresses",
  shortNames: ["ip"],
  columns: [
    // The real server prints the age without a column for it, so that no client shows it.
    builtinColumn("ParentRef", parentOf),
  ],
});

/** ServiceCIDR of networking.k8s.io: the addresses that services get. */
export const serviceCidrKind: Kind = defineKind({
  ...networking,
  kind: "ServiceCIDR",
  rules: serviceRangeRules,
  unconditionalUpdate: true,
  status: true,
  columns: [builtinColumn("CIDRs", (range) => texts(range, "spec", "cidrs").join(",")), ageColumn],
});

// `resource.group/namespace/name` without what is empty.
function parentOf(address: ApiObject): string {
  const parent = field(address, "spec", "parentRef");
  const resource = [text(parent, "resource"), text(parent, "group")];
  const parts = [
    resource.filter(Boolean).join("."),
    text(parent, "namespace"),
    text(parent, "name"),
  ];
  return parts.filter(Boolean).join("/");
}
