import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { field as fieldOf, objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import type { ExpressionScope } from "../cel/rules.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkPathSegment,
  checkQualifiedName,
} from "../validation/names.ts";
import { checkChoice, checkListed, checkText, checkWord } from "../validation/values.ts";
import {
  checkExpression,
  checkMatchConditions,
  checkVariables,
  hasSameConditions,
} from "./expressions.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkRequestRule } from "./request-rules.ts";

const actions = ["Audit", "Deny", "Warn"];
const missingActions = ["Deny", "Allow"];
const nothingToDo = "validations or auditAnnotations must contain at least one item";
const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const mutatingOperations = ["*", "CONNECT", "CREATE", "UPDATE"];
const patchTypes = ["ApplyConfiguration", "JSONPatch"];
const reinvocations = ["IfNeeded", "Never"];
// k8s.io/kubernetes pkg/apis/admissionregistration/validation/validation.go.
const mostAnnotations = 20;
const longestAnnotation = 5 * 1024;

/** Rules for ValidatingAdmissionPolicies. */
export const validatingPolicyRules: ObjectRules = policyRules((policy, scope) => {
  const spec = recordOf(policy["spec"]);
  const validations = objects(spec, "validations");
  const annotations = objects(spec, "auditAnnotations");
  if (validations.length === 0 && annotations.length === 0) {
    return ["validations", "auditAnnotations"].map((name) => required(`spec.${name}`, nothingToDo));
  }
  return [
    ...validations.flatMap((validation, index) =>
      checkValidation(`spec.validations[${index}]`, validation, scope),
    ),
    ...checkAnnotations(policy.metadata.name ?? "", annotations, scope),
  ];
});

/** Rules for MutatingAdmissionPolicies. */
export const mutatingPolicyRules: ObjectRules = policyRules((policy, scope) => {
  const spec = recordOf(policy["spec"]);
  const mutations = objects(spec, "mutations");
  return [
    ...checkMutatingOperations("spec.matchConstraints", spec["matchConstraints"]),
    ...(mutations.length === 0
      ? [required("spec.mutations", "mutations must contain at least one item")]
      : mutations.flatMap((mutation, index) =>
          checkMutation(`spec.mutations[${index}]`, mutation, scope),
        )),
    ...checkWord("spec.reinvocationPolicy", spec["reinvocationPolicy"], reinvocations, "required"),
  ];
});

/** Rules for ValidatingAdmissionPolicyBindings. */
export const validatingBindingRules: ObjectRules = rulesOf((binding) => [
  ...checkBinding(binding),
  ...checkActions("spec.validationActions", texts(binding, "spec", "validationActions")),
]);

/** Rules for MutatingAdmissionPolicyBindings. */
export const mutatingBindingRules: ObjectRules = rulesOf((binding) => [
  ...checkBinding(binding),
  ...checkMutatingOperations("spec.matchResources", fieldOf(binding, "spec", "matchResources")),
]);

/** Rules of a policy; unchanged match conditions are not checked again. */
function policyRules(
  checkRest: (policy: ApiObject, scope: ExpressionScope) => readonly FieldError[],
): ObjectRules {
  const check = (policy: ApiObject, stored: ApiObject | undefined): readonly FieldError[] => {
    const spec = recordOf(policy["spec"]);
    const isKnown = stored !== undefined && hasSameConditions(spec, recordOf(stored["spec"]));
    const { paramKind } = spec;
    const variables = checkVariables(spec);
    return [
      ...checkPolicy(spec),
      ...(isRecord(paramKind) ? checkParamKind("spec.paramKind", paramKind) : []),
      ...(isKnown ? [] : checkMatchConditions("spec.matchConditions", spec, isRecord(paramKind))),
      ...variables.errors,
      ...checkRest(policy, variables.scope),
    ];
  };
  return { create: (policy) => check(policy, undefined), update: check };
}

function checkParamKind(field: string, paramKind: JsonObject): readonly FieldError[] {
  const apiVersion = text(paramKind, "apiVersion");
  const kind = text(paramKind, "kind");
  const mixed = "may have mixed case, but should otherwise match: ";
  const problems = checkDns1035Label(kind.toLowerCase());
  return [
    ...checkGroupVersion(`${field}.apiVersion`, apiVersion),
    ...(kind === "" ? [required(`${field}.kind`)] : []),
    ...(kind !== "" && problems.length > 0
      ? [invalid(`${field}.kind`, kind, `${mixed}${problems.join(",")}`)]
      : []),
  ];
}

function checkGroupVersion(field: string, apiVersion: string): readonly FieldError[] {
  if (apiVersion === "") return [required(field)];
  const parts = apiVersion.split("/");
  if (parts.length > 2) {
    return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  }
  const [group, version = ""] = parts.length === 2 ? parts : ["", ...parts];
  const groupProblems = group === undefined || group === "" ? [] : checkDnsSubdomain(group);
  const versionProblems = version === "" ? [] : checkDns1035Label(version);
  return [
    ...(groupProblems.length === 0 ? [] : [invalid(field, group, groupProblems.join(","))]),
    ...(version === "" ? [invalid(field, apiVersion, "version must be specified")] : []),
    ...(versionProblems.length === 0 ? [] : [invalid(field, version, versionProblems.join(","))]),
  ];
}

function checkPolicy(spec: JsonObject): readonly FieldError[] {
  const { matchConstraints } = spec;
  const field = "spec.matchConstraints";
  const errors = checkChoice("spec.failurePolicy", spec["failurePolicy"], ["Fail", "Ignore"]);
  if (!isRecord(matchConstraints)) return [...errors, required(field)];
  errors.push(...checkMatches(field, matchConstraints));
  const hasRules = objects(matchConstraints, "resourceRules").length > 0;
  return hasRules ? errors : [...errors, required(`${field}.resourceRules`)];
}

function checkValidation(
  field: string,
  validation: JsonObject,
  scope: ExpressionScope,
): readonly FieldError[] {
  const expression = text(validation, "expression");
  const message = text(validation, "message");
  const computed = text(validation, "messageExpression");
  const withoutAuthorizer = { ...scope, hasAuthorizer: false };
  return [
    ...(expression.trim() === ""
      ? [required(`${field}.expression`, "expression is not specified")]
      : checkExpression(`${field}.expression`, expression, scope, ["bool"])),
    ...checkNotBlank(`${field}.messageExpression`, computed),
    ...(computed.trim() === ""
      ? []
      : checkExpression(`${field}.messageExpression`, computed, withoutAuthorizer, ["string"])),
    ...checkNotBlank(`${field}.message`, message),
    ...(/[\n\r]/.test(message.trim())
      ? [invalid(`${field}.message`, message, "must not contain line breaks")]
      : []),
    ...(validation["reason"] === undefined
      ? []
      : checkListed(`${field}.reason`, validation["reason"], reasons)),
  ];
}

function checkNotBlank(field: string, value: string): readonly FieldError[] {
  const isBlank = value !== "" && value.trim() === "";
  return isBlank ? [invalid(field, value, "must be non-empty if specified")] : [];
}

function checkAnnotations(
  name: string,
  annotations: readonly JsonObject[],
  scope: ExpressionScope,
): readonly FieldError[] {
  const field = "spec.auditAnnotations";
  const keys = annotations.map((annotation) => text(annotation, "key"));
  const repeated = repeatedIndexes(keys);
  const errors = annotations.flatMap((annotation, index) => {
    const at = `${field}[${index}]`;
    const key = keys[index] ?? "";
    return [
      ...(name === ""
        ? [invalid(`${at}.key`, key, "requires metadata.name be non-empty")]
        : checkText(`${at}.key`, `${name}/${key}`, checkQualifiedName)),
      ...checkAnnotationValue(`${at}.valueExpression`, annotation, scope),
      ...(repeated.has(index) ? [duplicate(`${at}.key`, key)] : []),
    ];
  });
  if (annotations.length <= mostAnnotations) return errors;
  const problem = `must not have more than ${mostAnnotations} auditAnnotations`;
  return [invalid(field, annotations, problem), ...errors];
}

function checkAnnotationValue(
  field: string,
  annotation: JsonObject,
  scope: ExpressionScope,
): readonly FieldError[] {
  const shown = text(annotation, "valueExpression");
  const expression = shown.trim();
  if (expression === "") return [required(field, "valueExpression is not specified")];
  if (new TextEncoder().encode(expression).length > longestAnnotation) {
    return [required(field, `must not exceed ${longestAnnotation} bytes in length`)];
  }
  return checkExpression(field, expression, scope, ["string", "null"], shown);
}

function checkMutatingOperations(field: string, resources: unknown): readonly FieldError[] {
  const rules = isRecord(resources) ? objects(resources, "resourceRules") : [];
  return rules.flatMap((rule) =>
    texts(rule, "operations").flatMap((operation) =>
      mutatingOperations.includes(operation)
        ? []
        : [notSupported(`${field}.resourceRules.operations`, operation, mutatingOperations)],
    ),
  );
}

const mutationMembers: Readonly<
  Record<string, { readonly member: string; readonly type: string }>
> = {
  ApplyConfiguration: { member: "applyConfiguration", type: "Object" },
  JSONPatch: { member: "jsonPatch", type: "list<JSONPatch>" },
};

function checkMutation(
  field: string,
  mutation: JsonObject,
  scope: ExpressionScope,
): readonly FieldError[] {
  const patchType = text(mutation, "patchType");
  if (patchType === "") return [required(`${field}.patchType`)];
  const used = mutationMembers[patchType];
  if (used === undefined) return [notSupported(`${field}.patchType`, patchType, patchTypes)];
  const { member, type } = used;
  const other = member === "jsonPatch" ? "applyConfiguration" : "jsonPatch";
  const when = `when patchType is ${patchType}`;
  const errors: FieldError[] = [];
  const given = mutation[member];
  if (isRecord(given)) {
    const at = `${field}.${member}.expression`;
    const expression = text(given, "expression").trim();
    const patching = { ...scope, hasPatchTypes: true };
    if (expression === "") errors.push(required(at));
    else errors.push(...checkExpression(at, expression, patching, [type]));
  } else errors.push(required(`${field}.${member}`, `must be specified ${when}`));
  if (isRecord(mutation[other])) {
    errors.push(invalid(`${field}.${other}`, `{${other}}`, `must not be specified ${when}`));
  }
  return errors;
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
    ...(resources["matchPolicy"] === undefined
      ? [required(`${field}.matchPolicy`)]
      : checkListed(`${field}.matchPolicy`, resources["matchPolicy"], ["Equivalent", "Exact"])),
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
