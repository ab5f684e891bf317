import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { count, objects, text, texts } from "../base/read-fields.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../validation/field-errors.ts";
import { checkDnsLabel, checkDnsSubdomain } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

// k8s.io/kubernetes pkg/apis/flowcontrol/validation.
const maxPrecedence = 10_000;
const distinguishers = ["ByNamespace", "ByUser"];
const verbs = [
  ...["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update"],
  "watch",
];

/** Rules for FlowSchemas. */
export const flowSchemaRules: ObjectRules = rulesOf(
  (schema) => [
    ...checkSchema(schema.metadata.name ?? "", recordOf(schema["spec"])),
    ...checkConditionTypes(schema),
  ],
  { status: checkConditionTypes },
);

/** Checks that each condition of a status has a type, and no two the same. */
export function checkConditionTypes(object: ApiObject): readonly FieldError[] {
  const seen = new Set<string>();
  return objects(object, "status", "conditions").flatMap((condition, index) => {
    const field = `status.conditions[${index}].type`;
    const type = text(condition, "type");
    const errors: FieldError[] = seen.has(type) ? [duplicate(field, type)] : [];
    seen.add(type);
    if (type === "") errors.push(required(field));
    return errors;
  });
}

function checkSchema(name: string, spec: JsonObject): readonly FieldError[] {
  const level = text(spec, "priorityLevelConfiguration", "name");
  const field = "spec.priorityLevelConfiguration.name";
  return [
    ...checkPrecedence("spec.matchingPrecedence", count(spec, "matchingPrecedence"), name),
    ...checkDistinguisher("spec.distinguisherMethod.type", spec["distinguisherMethod"]),
    ...(level === ""
      ? [required(field, "must reference a priority level")]
      : checkText(field, level, checkDnsSubdomain)),
    ...objects(spec, "rules").flatMap((rule, index) => checkRule(`spec.rules[${index}]`, rule)),
  ];
}

function checkPrecedence(field: string, precedence: number, name: string): FieldError[] {
  if (precedence <= 0) return [invalid(field, precedence, "must be a positive value")];
  if (precedence > maxPrecedence) {
    return [invalid(field, precedence, `must not be greater than ${maxPrecedence}`)];
  }
  if (precedence !== 1 || name === "exempt") return [];
  const problem = "only the schema named 'exempt' may have matchingPrecedence 1";
  return [invalid(field, precedence, problem)];
}

function checkDistinguisher(field: string, method: unknown): FieldError[] {
  if (!isRecord(method) || distinguishers.includes(text(method, "type"))) return [];
  return [notSupported(field, { Type: text(method, "type") }, distinguishers)];
}

function checkRule(field: string, rule: JsonObject): readonly FieldError[] {
  const subjects = objects(rule, "subjects");
  const resourceRules = objects(rule, "resourceRules");
  const otherRules = objects(rule, "nonResourceRules");
  const errors: FieldError[] = [];
  if (subjects.length === 0) {
    errors.push(required(`${field}.subjects`, "subjects must contain at least one value"));
  }
  for (const [index, subject] of subjects.entries()) {
    errors.push(...checkSubject(`${field}.subjects[${index}]`, subject));
  }
  if (resourceRules.length + otherRules.length === 0) {
    const detail = "at least one of resourceRules and nonResourceRules has to be non-empty";
    errors.push(required(field, detail));
  }
  return [
    ...errors,
    ...resourceRules.flatMap((one, index) =>
      checkResourceRule(`${field}.resourceRules[${index}]`, one),
    ),
    ...otherRules.flatMap((one, index) =>
      checkOtherRule(`${field}.nonResourceRules[${index}]`, one),
    ),
  ];
}

// The member of a subject for its kind, in the order of the server.
const members: readonly (readonly [kind: string, member: string])[] = [
  ["ServiceAccount", "serviceAccount"],
  ["User", "user"],
  ["Group", "group"],
];

function checkSubject(field: string, subject: JsonObject): readonly FieldError[] {
  const kind = text(subject, "kind");
  const own = members.find(([name]) => name === kind)?.[1];
  if (own === undefined) {
    return [notSupported(`${field}.kind`, kind, ["Group", "ServiceAccount", "User"])];
  }
  const others = members.filter(([name, member]) => name !== kind && isRecord(subject[member]));
  return [
    ...checkMember(`${field}.${own}`, own, kind, subject[own]),
    ...others.map(([name, member]) =>
      forbidden(`${field}.${member}`, `${member} is forbidden when subject kind is not '${name}'`),
    ),
  ];
}

function checkMember(
  field: string,
  member: string,
  kind: string,
  value: unknown,
): readonly FieldError[] {
  if (!isRecord(value)) {
    return [required(field, `${member} is required when subject kind is '${kind}'`)];
  }
  const name = text(value, "name");
  const errors = name === "" ? [required(`${field}.name`)] : [];
  if (kind !== "ServiceAccount") return errors;
  if (name !== "" && name !== "*") {
    errors.push(...checkText(`${field}.name`, name, checkDnsSubdomain));
  }
  const namespace = text(value, "namespace");
  const at = `${field}.namespace`;
  if (namespace !== "") return [...errors, ...checkText(at, namespace, checkDnsLabel)];
  return [...errors, required(at, "must specify namespace for service account")];
}

// A list that is not empty, in which `*` stands alone.
function checkWildcard(
  field: string,
  values: readonly string[],
  missing: string,
  others: string,
): FieldError[] {
  if (values.length === 0) return [required(field, missing)];
  if (values.length < 2 || !values.includes("*")) return [];
  return [invalid(field, values, `if '*' is present, must not specify other ${others}`)];
}

function checkVerbs(field: string, rule: JsonObject): FieldError[] {
  const given = texts(rule, "verbs");
  const missing = "verbs must contain at least one value";
  const errors = checkWildcard(field, given, missing, "verbs");
  if (given.includes("*") || given.every((verb) => verbs.includes(verb))) return errors;
  return [...errors, notSupported(field, given, verbs)];
}

function checkResourceRule(field: string, rule: JsonObject): readonly FieldError[] {
  const supply = (what: string): string => `resource rules must supply at least one ${what}`;
  const lists: readonly (readonly [name: string, missing: string, others: string])[] = [
    ["apiGroups", supply("api group"), "api groups"],
    ["resources", supply("resource"), "resources"],
  ];
  return [
    ...checkVerbs(`${field}.verbs`, rule),
    ...lists.flatMap(([name, missing, others]) =>
      checkWildcard(`${field}.${name}`, texts(rule, name), missing, others),
    ),
    ...checkNamespaces(`${field}.namespaces`, rule),
  ];
}

function checkNamespaces(field: string, rule: JsonObject): readonly FieldError[] {
  const namespaces = texts(rule, "namespaces");
  if (namespaces.length === 0 && rule["clusterScope"] === true) return [];
  const missing = "resource rules that are not cluster scoped must supply at least one namespace";
  if (namespaces.length === 0 || namespaces.includes("*")) {
    return checkWildcard(field, namespaces, missing, "namespaces");
  }
  const rule1123 = "each member of this list must be '*' or a DNS-1123 label; ";
  return namespaces.flatMap((namespace, index) =>
    checkDnsLabel(namespace).map((why) =>
      invalid(`${field}[${index}]`, namespace, `${rule1123}${why}`),
    ),
  );
}

function checkOtherRule(field: string, rule: JsonObject): readonly FieldError[] {
  const urls = texts(rule, "nonResourceURLs");
  const at = `${field}.nonResourceURLs`;
  const missing = "nonResourceURLs must contain at least one value";
  const errors = [
    ...checkVerbs(`${field}.verbs`, rule),
    ...checkWildcard(at, urls, missing, "non-resource URLs"),
  ];
  if (urls.includes("*")) return errors;
  return [...errors, ...urls.flatMap((url, index) => checkUrl(`${at}[${index}]`, url))];
}

function checkUrl(field: string, url: string): FieldError[] {
  const problem = problemOfUrl(url);
  return problem === undefined ? [] : [invalid(field, url, problem)];
}

function problemOfUrl(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const wildcards = url.split("*").length - 1;
  const isSuffix = wildcards === 0 || (wildcards === 1 && url.endsWith("/*"));
  return isSuffix ? undefined : "wildcard can only do suffix matching";
}
