import { webhookRules } from "../rules/webhooks.ts";
import {
  admissionPolicyDefaults,
  policyBindingDefaults,
  webhookDefaults,
} from "./defaults/registrations.ts";
import { loadRuleEngine } from "../cel/rule-engine.ts";
import { specDefaults } from "./defaults/fill.ts";
import type { PrinterColumn } from "../api/resource-definition.ts";
import { field, objects, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { nothingAgain } from "./metadata-repeats.ts";
import {
  mutatingBindingRules,
  mutatingPolicyRules,
  validatingBindingRules,
  validatingPolicyRules,
} from "../rules/admission-policies.ts";

const admissionRegistration = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  categories: ["api-extensions"],
  cluster: true,
  generation: true,
  statusMetadataRepeats: nothingAgain,
} as const;

const loadConditionChecks = (body: string): Promise<void> | undefined =>
  body.includes("matchConditions") ? loadRuleEngine() : undefined;

const webhookColumns: readonly PrinterColumn[] = [
  builtinColumn("Webhooks", (object) => objects(object, "webhooks").length, { type: "integer" }),
  ageColumn,
];

// pkg/printers/internalversion/printers.go, `printValidatingAdmissionPolicy` and those after it.
const unset = "<unset>";

const paramKindColumn = builtinColumn("ParamKind", (object) => {
  const apiVersion = text(object, "spec", "paramKind", "apiVersion");
  const kind = text(object, "spec", "paramKind", "kind");
  return kind === "" ? unset : `${apiVersion}/${kind}`;
});

const policyColumns = (title: "Mutations" | "Validations"): PrinterColumn[] => [
  builtinColumn(title, (object) => objects(object, "spec", title.toLowerCase()).length, {
    type: "integer",
  }),
  paramKindColumn,
  ageColumn,
];

const bindingColumns: readonly PrinterColumn[] = [
  builtinColumn("PolicyName", (object) => text(object, "spec", "policyName")),
  builtinColumn("ParamRef", (object) => {
    if (field(object, "spec", "paramRef") === undefined) return unset;
    const namespace = text(object, "spec", "paramRef", "namespace");
    const name = text(object, "spec", "paramRef", "name");
    return namespace === "" ? name : `${namespace}/${name}`;
  }),
  ageColumn,
];

/** MutatingAdmissionPolicy of admissionregistration.k8s.io. */
export const mutatingAdmissionPolicyKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "MutatingAdmissionPolicy",
  loadChecksOf: loadRuleEngine,
  rules: mutatingPolicyRules,
  defaults: specDefaults(admissionPolicyDefaults),
  plural: "mutatingadmissionpolicies",
  columns: policyColumns("Mutations"),
});

/** MutatingAdmissionPolicyBinding of admissionregistration.k8s.io. */
export const mutatingAdmissionPolicyBindingKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "MutatingAdmissionPolicyBinding",
  rules: mutatingBindingRules,
  columns: bindingColumns,
  defaults: specDefaults(policyBindingDefaults),
});

/** MutatingWebhookConfiguration of admissionregistration.k8s.io. */
export const mutatingWebhookConfigurationKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "MutatingWebhookConfiguration",
  loadChecksOf: loadConditionChecks,
  rules: webhookRules,
  defaults: webhookDefaults({ reinvocationPolicy: "Never" }),
  desiredState: ({ webhooks }) => webhooks,
  columns: webhookColumns,
});

/** ValidatingAdmissionPolicy of admissionregistration.k8s.io. */
export const validatingAdmissionPolicyKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "ValidatingAdmissionPolicy",
  loadChecksOf: loadRuleEngine,
  rules: validatingPolicyRules,
  defaults: specDefaults(admissionPolicyDefaults),
  plural: "validatingadmissionpolicies",
  columns: policyColumns("Validations"),
  status: true,
});

/** ValidatingAdmissionPolicyBinding of admissionregistration.k8s.io. */
export const validatingAdmissionPolicyBindingKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "ValidatingAdmissionPolicyBinding",
  rules: validatingBindingRules,
  columns: bindingColumns,
  defaults: specDefaults(policyBindingDefaults),
});

/** ValidatingWebhookConfiguration of admissionregistration.k8s.io. */
export const validatingWebhookConfigurationKind: Kind = defineKind({
  ...admissionRegistration,
  kind: "ValidatingWebhookConfiguration",
  loadChecksOf: loadConditionChecks,
  rules: webhookRules,
  defaults: webhookDefaults({}),
  desiredState: ({ webhooks }) => webhooks,
  columns: webhookColumns,
});
