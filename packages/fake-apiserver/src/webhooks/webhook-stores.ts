const group = "admissionregistration.k8s.io";

/** Names of the storages that have the configurations of webhooks. */
export const webhookStores: Readonly<Record<"mutating" | "validating", string>> = {
  mutating: `mutatingwebhookconfigurations.${group}`,
  validating: `validatingwebhookconfigurations.${group}`,
};
