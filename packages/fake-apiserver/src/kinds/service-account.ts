import { objects } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** ServiceAccount of the core group. */
export const serviceAccountKind: Kind = defineKind({
  version: "v1",
  kind: "ServiceAccount",
  unconditionalUpdate: true,
  shortNames: ["sa"],
  returnsDeletedObject: true,
  columns: [
    builtinColumn("Secrets", "Number of secrets of the account.", (object) =>
      String(objects(object, "secrets").length),
    ),
    ageColumn,
  ],
  docs: {
    "core.ServiceAccount": {
      description: "ServiceAccount is an identity for processes in pods.",
      fields: {
        automountServiceAccountToken: ["boolean", "Whether pods get a token mounted by default."],
        imagePullSecrets: ["[]object", "References to secrets for pulling images."],
        secrets: ["[]object", "References to secrets that pods with this account may use."],
      },
    },
  },
});
