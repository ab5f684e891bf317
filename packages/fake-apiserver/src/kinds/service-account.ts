import type { ApiObject } from "../api/api-object.ts";
import { each, withMembersOf } from "./defaults/fill.ts";
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
  strategy: () => ({ prepareForCreate: withSecretNames, prepareForUpdate: withSecretNames }),
  columns: [ageColumn],
});

// k8s.io/kubernetes pkg/registry/core/serviceaccount/strategy.go, `cleanSecretReferences`.
function withSecretNames(account: ApiObject): ApiObject {
  return withMembersOf(
    each(account, "secrets", ({ name }) => (name === undefined ? {} : { name })),
    account,
  );
}
