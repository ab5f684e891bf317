import { text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Lease of coordination.k8s.io. */
export const leaseKind: Kind = defineKind({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  createOnUpdate: true,
  columns: [
    builtinColumn("Holder", "The identity of the holder of the lease.", (lease) =>
      text(lease, "spec", "holderIdentity"),
    ),
    ageColumn,
  ],
  docs: {
    "coordination.Lease": {
      description: "Lease is a claim that somebody holds for a time.", // language-ok: served text
      fields: { spec: ["coordination.LeaseSpec", "Who holds the lease, and since when."] },
    },
    "coordination.LeaseSpec": {
      description: "LeaseSpec is the specification of a lease.",
      fields: {
        holderIdentity: ["string", "The identity of the holder."],
        leaseDurationSeconds: [
          "integer",
          "Seconds after the last renewal before others may take the lease.",
        ],
        acquireTime: ["time", "When the current lease was acquired."],
        renewTime: ["time", "When the holder has renewed the lease last."],
        leaseTransitions: ["integer", "How often the lease has changed its holder."],
      },
    },
  },
});
