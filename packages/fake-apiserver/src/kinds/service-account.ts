import { ageColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** ServiceAccount of the core group. */
export const serviceAccountKind: Kind = defineKind({
  version: "v1",
  kind: "ServiceAccount",
  unconditionalUpdate: true,
  shortNames: ["sa"],
  returnsDeletedObject: true,
  subresources: [
    {
      name: "token",
      group: "authentication.k8s.io",
      version: "v1",
      kind: "TokenRequest",
      verbs: ["create"],
    },
  ],
  columns: [ageColumn],
});
