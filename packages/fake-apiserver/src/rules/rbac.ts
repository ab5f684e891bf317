import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { goStruct } from "../base/go-text.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { invalid, invalidShown, required } from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import { checkDnsSubdomain, checkPathSegment } from "../validation/names.ts";
import { checkListed, checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

const group = "rbac.authorization.k8s.io";

/** Rules for Roles. */
export const roleRules: ObjectRules = rulesOf((role) => checkPolicyRules(role, true));

/** Rules for ClusterRoles. */
export const clusterRoleRules: ObjectRules = rulesOf((role) => [
  ...checkPolicyRules(role, false),
  ...checkAggregation(role["aggregationRule"]),
]);

/** Rules for RoleBindings. */
export const roleBindingRules: ObjectRules = bindingRules(true);

/** Rules for ClusterRoleBindings. */
export const clusterRoleBindingRules: ObjectRules = bindingRules(false);

function checkPolicyRules(role: ApiObject, isNamespaced: boolean): readonly FieldError[] {
  return objects(role, "rules").flatMap((rule, index) =>
    checkPolicyRule(`rules[${index}]`, rule, isNamespaced),
  );
}

function checkPolicyRule(field: string, rule: JsonObject, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (texts(rule, "verbs").length === 0) {
    errors.push(required(`${field}.verbs`, "verbs must contain at least one value"));
  }
  const urls = texts(rule, "nonResourceURLs");
  const resources = texts(rule, "resources");
  const groups = texts(rule, "apiGroups");
  if (urls.length === 0) {
    const detail = "resource rules must supply at least one";
    if (groups.length === 0) errors.push(required(`${field}.apiGroups`, `${detail} api group`));
    if (resources.length === 0) errors.push(required(`${field}.resources`, `${detail} resource`));
    return errors;
  }
  const urlField = `${field}.nonResourceURLs`;
  if (isNamespaced) {
    errors.push(invalid(urlField, urls, "namespaced rules cannot apply to non-resource URLs"));
  }
  if (groups.length + resources.length + texts(rule, "resourceNames").length > 0) {
    const problem = "rules cannot apply to both regular resources and non-resource URLs";
    errors.push(invalid(urlField, urls, problem));
  }
  return errors;
}

function checkAggregation(aggregation: unknown): readonly FieldError[] {
  if (!isRecord(aggregation)) return [];
  const field = "aggregationRule.clusterRoleSelectors";
  const selectors = objects(aggregation, "clusterRoleSelectors");
  if (selectors.length === 0) {
    const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    return [required(field, detail)];
  }
  return selectors.flatMap((selector, index) => {
    const at = `${field}[${index}]`;
    const errors = checkLabelSelector(at, selector);
    if (errors.length > 0) errors.push(invalid(at, null, "invalid label selector."));
    return errors;
  });
}

function bindingRules(isNamespaced: boolean): ObjectRules {
  return rulesOf(
    (binding) => [
      ...checkRoleRef(binding["roleRef"], isNamespaced ? ["Role", "ClusterRole"] : ["ClusterRole"]),
      ...objects(binding, "subjects").flatMap((subject, index) =>
        checkSubject(`subjects[${index}]`, subject, isNamespaced),
      ),
    ],
    { first: "check", changes: ({ roleRef }, stored) => checkSameRole(roleRef, stored["roleRef"]) },
  );
}

function checkRoleRef(ref: unknown, kinds: readonly string[]): readonly FieldError[] {
  const name = text(ref, "name");
  return [
    ...checkListed("roleRef.apiGroup", text(ref, "apiGroup"), [group]),
    ...checkListed("roleRef.kind", text(ref, "kind"), kinds),
    ...(name === ""
      ? [required("roleRef.name")]
      : checkText("roleRef.name", name, checkPathSegment)),
  ];
}

function checkSubject(field: string, subject: JsonObject, isNamespaced: boolean): FieldError[] {
  const name = text(subject, "name");
  const kind = text(subject, "kind");
  const apiGroup = text(subject, "apiGroup");
  const errors = name === "" ? [required(`${field}.name`)] : [];
  if (kind === "User" || kind === "Group") {
    return [...errors, ...checkListed(`${field}.apiGroup`, apiGroup, [group])];
  }
  if (kind !== "ServiceAccount") {
    const kinds = ["ServiceAccount", "User", "Group"];
    return [...errors, ...checkListed(`${field}.kind`, kind, kinds)];
  }
  if (name !== "") errors.push(...checkText(`${field}.name`, name, checkDnsSubdomain));
  errors.push(...checkListed(`${field}.apiGroup`, apiGroup, [""]));
  if (!isNamespaced && text(subject, "namespace") === "") {
    errors.push(required(`${field}.namespace`));
  }
  return errors;
}

function checkSameRole(ref: unknown, stored: unknown): readonly FieldError[] {
  if (isJsonEqual(ref, stored)) return [];
  const shown = goStruct({
    APIGroup: text(ref, "apiGroup"),
    Kind: text(ref, "kind"),
    Name: text(ref, "name"),
  });
  return [invalidShown("roleRef", shown, "field is immutable")];
}
