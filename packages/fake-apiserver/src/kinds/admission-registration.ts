import type { PrinterColumn } from "../api/resource-definition.ts";
import { objects } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

const admissionRegistration = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  categories: ["api-extensions"],
  cluster: true,
  generation: true,
} as const;

const webhookColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Webhooks",
    "Webhooks indicates the number of webhooks registered in this configuration",
    (object) => objects(object, "webhooks").length,
    { type: "integer" },
  ),
  ageColumn,
];

/** MutatingWebhookConfiguration of admissionregistration.k8s.io. */
export const mutatingWebhookConfigurationKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "MutatingWebhookConfiguration",
  columns: webhookColumns,
});

/** ValidatingAdmissionPolicy of admissionregistration.k8s.io. */
export const validatingAdmissionPolicyKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "ValidatingAdmissionPolicy",
  plural: "validatingadmissionpolicies",
  status: true,
});

/** ValidatingAdmissionPolicyBinding of admissionregistration.k8s.io. */
export const validatingAdmissionPolicyBindingKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "ValidatingAdmissionPolicyBinding",
});

/** ValidatingWebhookConfiguration of admissionregistration.k8s.io. */
export const validatingWebhookConfigurationKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "ValidatingWebhookConfiguration",
  columns: webhookColumns,
});
