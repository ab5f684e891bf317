import { leaseRules } from "../rules/policy.ts";
import { isRecord } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Lease of coordination.k8s.io. */
export const leaseKind: Kind = defineKind({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  rules: leaseRules,
  createOnUpdate: true,
  strategy: () => ({ prepareForCreate: withoutElection, prepareForUpdate: withoutElection }),
  columns: [builtinColumn("Holder", (lease) => text(lease, "spec", "holderIdentity")), ageColumn],
});

// The fields of coordinated leader election, a feature that is off: k8s.io/kubernetes
// registry/coordination/lease/strategy.go.
function withoutElection(lease: ApiObject): ApiObject {
  if (!isRecord(lease["spec"])) return lease;
  const { preferredHolder: _holder, strategy: _strategy, ...spec } = lease["spec"];
  return { ...lease, spec };
}
