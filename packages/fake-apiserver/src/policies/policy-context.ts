import type { ApiObject } from "../api/api-object.ts";
import type { ReviewedWrite } from "../webhooks/reviewed-write.ts";
import type { AccessDecisions } from "./access-decisions.ts";
import type { PolicyStores } from "./policy-invocations.ts";
import type { ParamSource } from "./policy-params.ts";

/** Dependencies of the policies of one request. */
export interface PolicyContext extends ParamSource {
  /** Collects texts for Warning headers. */
  readonly warnings: string[];
  readonly decisions: AccessDecisions;
}

const group = "admissionregistration.k8s.io";

/** The names of the stores of policies and their bindings. */
export const policyStores: Readonly<
  Record<"mutating" | "validating", readonly [policies: string, bindings: string]>
> = {
  mutating: [`mutatingadmissionpolicies.${group}`, `mutatingadmissionpolicybindings.${group}`],
  validating: [
    `validatingadmissionpolicies.${group}`,
    `validatingadmissionpolicybindings.${group}`,
  ],
};

/** The stored policies of a kind, and their bindings. */
export function storesOf(
  { storage }: Pick<PolicyContext, "storage">,
  kind: keyof typeof policyStores,
): PolicyStores {
  const [policies, bindings] = policyStores[kind];
  return {
    policies: storage.store(policies),
    bindings: storage.store(bindings),
    namespaces: storage.store("namespaces"),
  };
}

/** The namespace of a write; undefined for a write to a namespace or outside of one. */
export function namespaceOf(
  { storage }: PolicyContext,
  { form, namespace }: ReviewedWrite,
): ApiObject | undefined {
  const { group: ofKind, kind } = form.kind;
  if (ofKind === "" && kind === "Namespace") return undefined;
  return storage.store("namespaces").get(namespace)?.object;
}
