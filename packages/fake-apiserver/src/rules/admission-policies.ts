import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import { checkDnsSubdomain, checkPathSegment } from "../validation/names.ts";
import { checkText, checkWord } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkRequestRule } from "./request-rules.ts";

const actions = ["Audit", "Deny", "Warn"];
const missingActions = ["Deny", "Allow"];
const nothingToDo = "validations or auditAnnotations must contain at least one item";

/** Rules for ValidatingAdmissionPolicies. Expressions are not checked. */
export const validatingPolicyRules: ObjectRules = rulesOf((policy) => {
  const spec = recordOf(policy["spec"]);
  const [validations, annotations] = ["validations", "auditAnnotations"].map((name) =>
    objects(spec, name),
  );
  const isEmpty = validations?.length === 0 && annotations?.length === 0;
  return [
    ...checkPolicy(spec),
    ...(isEmpty
      ? ["validations", "auditAnnotations"].map((name) => required(`spec.${name}`, nothingToDo))
      : []),
    ...(validations ?? []).flatMap((validation, index) =>
      checkExpression(`spec.validations[${index}]`, validation),
    ),
  ];
});

/** Rules for MutatingAdmissionPolicies. Expressions are not checked. */
export const mutatingPolicyRules: ObjectRules = rulesOf((policy) =>
  checkPolicy(recordOf(policy["spec"])),
);

/** Rules for ValidatingAdmissionPolicyBindings. */
export const validatingBindingRules: ObjectRules = rulesOf((binding) => [
  ...checkBinding(binding),
  ...checkActions("spec.validationActions", texts(binding, "spec", "validationActions")),
]);

/** Rules for MutatingAdmissionPolicyBindings. */
export const mutatingBindingRules: ObjectRules = rulesOf(checkBinding);

function checkPolicy(spec: JsonObject): readonly FieldError[] {
  const { matchConstraints } = spec;
  const field = "spec.matchConstraints";
  const errors = checkWord("spec.failurePolicy", spec["failurePolicy"], ["Fail", "Ignore"]);
  if (!isRecord(matchConstraints)) return [...errors, required(field)];
  errors.push(...checkMatches(field, matchConstraints));
  const hasRules = objects(matchConstraints, "resourceRules").length > 0;
  return hasRules ? errors : [...errors, required(`${field}.resourceRules`)];
}

function checkExpression(field: string, validation: JsonObject): readonly FieldError[] {
  const isMissing = text(validation, "expression").trim() === "";
  return isMissing ? [required(`${field}.expression`, "expression is not specified")] : [];
}

function checkBinding(binding: ApiObject): readonly FieldError[] {
  const spec = recordOf(binding["spec"]);
  const { matchResources, paramRef } = spec;
  const policy = text(spec, "policyName");
  return [
    ...(policy === ""
      ? [required("spec.policyName")]
      : checkText("spec.policyName", policy, checkDnsSubdomain)),
    ...(isRecord(paramRef) ? checkParameters("spec.paramRef", paramRef) : []),
    ...(isRecord(matchResources) ? checkMatches("spec.matchResources", matchResources) : []),
  ];
}

function checkParameters(field: string, reference: JsonObject): readonly FieldError[] {
  const { selector } = reference;
  const name = text(reference, "name");
  const action = text(reference, "parameterNotFoundAction");
  const errors: FieldError[] = [];
  const refuse = (member: string): void => {
    errors.push(forbidden(`${field}.${member}`, "name and selector are mutually exclusive"));
  };
  if (name !== "") {
    errors.push(...checkText(`${field}.name`, name, checkPathSegment));
    if (isRecord(selector)) refuse("name");
  }
  if (isRecord(selector)) {
    errors.push(...checkLabelSelector(`${field}.selector`, selector));
    if (name !== "") refuse("selector");
  }
  if (name === "" && !isRecord(selector)) {
    errors.push(required(field, "one of name or selector must be specified"));
  }
  const at = `${field}.parameterNotFoundAction`;
  if (action === "") errors.push(required(at));
  else if (!missingActions.includes(action)) errors.push(notSupported(at, action, missingActions));
  return errors;
}

function checkMatches(field: string, resources: JsonObject): readonly FieldError[] {
  return [
    ...checkWord(
      `${field}.matchPolicy`,
      resources["matchPolicy"],
      ["Equivalent", "Exact"],
      "required",
    ),
    ...["namespaceSelector", "objectSelector"].flatMap((name) =>
      isRecord(resources[name])
        ? checkLabelSelector(`${field}.${name}`, resources[name])
        : [required(`${field}.${name}`)],
    ),
    ...["resourceRules", "excludeResourceRules"].flatMap((list) =>
      objects(resources, list).flatMap((rule, index) =>
        checkNamedRule(`${field}.${list}[${index}]`, rule),
      ),
    ),
  ];
}

function checkNamedRule(field: string, rule: JsonObject): readonly FieldError[] {
  const names = texts(rule, "resourceNames");
  const repeated = repeatedIndexes(names);
  return [
    ...names.flatMap((name, index) => {
      const at = `${field}.resourceNames[${index}]`;
      const errors = checkText(at, name, checkPathSegment);
      if (repeated.has(index)) errors.push(duplicate(at, name));
      return errors;
    }),
    ...checkRequestRule(field, rule),
  ];
}

function checkActions(field: string, given: readonly string[]): readonly FieldError[] {
  if (given.length === 0) return [required(field, "at least one validation action is required")];
  const repeated = repeatedIndexes(given);
  const errors = given.flatMap((action, index) => [
    ...(actions.includes(action) ? [] : [notSupported(`${field}[${index}]`, action, actions)]),
    ...(repeated.has(index) ? [duplicate(`${field}[${index}]`, action)] : []),
  ]);
  if (!given.includes("Deny") || !given.includes("Warn")) return errors;
  const problem =
    "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
  return [...errors, invalid(field, given, problem)];
}
