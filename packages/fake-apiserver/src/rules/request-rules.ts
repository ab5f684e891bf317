import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { texts } from "../base/read-fields.ts";
import { invalid, required } from "../validation/field-errors.ts";
import { checkChoice, checkListed } from "../validation/values.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const groupsAndVersions: readonly (readonly [name: string, what: string])[] = [
  ["apiGroups", "API groups"],
  ["apiVersions", "API versions"],
];

/**
 * Checks the requests that a webhook or a policy selects (k8s.io/kubernetes
 * pkg/apis/admissionregistration/validation, `validateRuleWithOperations`).
 */
export function checkRequestRule(field: string, rule: JsonObject): FieldError[] {
  const given = texts(rule, "operations");
  const errors = checkAlone(`${field}.operations`, given, "operations");
  for (const [index, operation] of given.entries()) {
    errors.push(...checkListed(`${field}.operations[${index}]`, operation, operations));
  }
  for (const [name, what] of groupsAndVersions) {
    errors.push(...checkAlone(`${field}.${name}`, texts(rule, name), what));
  }
  for (const [index, version] of texts(rule, "apiVersions").entries()) {
    if (version === "") errors.push(required(`${field}.apiVersions[${index}]`));
  }
  const scopes = ["*", "Cluster", "Namespaced"];
  return [
    ...errors,
    ...checkResources(`${field}.resources`, texts(rule, "resources")),
    ...checkChoice(`${field}.scope`, rule["scope"], scopes),
  ];
}

// A list that is not empty, in which `*` stands alone.
function checkAlone(field: string, values: readonly string[], what: string): FieldError[] {
  if (values.length === 0) return [required(field)];
  if (values.length < 2 || !values.includes("*")) return [];
  return [invalid(field, values, `if '*' is present, must not specify other ${what}`)];
}

function checkResources(field: string, resources: readonly string[]): readonly FieldError[] {
  if (resources.length === 0) return [required(field)];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, resource] of resources.entries()) {
    const at = `${field}[${index}]`;
    if (resource === "") errors.push(required(at));
    const slash = resource.indexOf("/");
    if (slash < 0) continue;
    const [name, subresource] = [resource.slice(0, slash), resource.slice(slash + 1)];
    const refuse = (present: string): void => {
      const problem = `if '${present}' is present, must not specify ${resource}`;
      errors.push(invalid(at, resource, problem));
    };
    if (wholeResources.has(name)) refuse(`${name}/*`);
    if (wholeSubresources.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === "*") wholeResources.add(name);
    if (name === "*") wholeSubresources.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalid(field, resources, "if '*/*' is present, must not specify other resources"));
  }
  // The server remembers the last resource without a subresource alone.
  const last = resources.findLast((resource) => resource !== "" && !resource.includes("/"));
  if (resources.includes("*") && last !== undefined && last !== "*") {
    const problem = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(field, resources, problem));
  }
  return errors;
}
