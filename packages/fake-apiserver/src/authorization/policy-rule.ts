import type { JsonObject } from "@listwatch/core-fifo/base";
import { texts } from "../base/read-fields.ts";
import type { AccessRequest } from "../api/access.ts";

/** A rule of a role. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty = all. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** A rule that allows nothing; a base for other rules. */
export const emptyRule: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** Reads a rule from a role object. */
export function readRule(rule: JsonObject): PolicyRule {
  return {
    verbs: texts(rule, "verbs"),
    apiGroups: texts(rule, "apiGroups"),
    resources: texts(rule, "resources"),
    resourceNames: texts(rule, "resourceNames"),
    nonResourceURLs: texts(rule, "nonResourceURLs"),
  };
}

/** Whether a rule allows a request. */
export function ruleAllows(rule: PolicyRule, request: AccessRequest): boolean {
  const { group, isResource, name, path, resource, subresource, verb } = request;
  if (!includes(rule.verbs, verb)) return false;
  if (!isResource) return rule.nonResourceURLs.some((url) => isPathIn(url, path));
  const isNamed = rule.resourceNames.length === 0 || rule.resourceNames.includes(name);
  return isNamed && includes(rule.apiGroups, group) && hasResource(rule, resource, subresource);
}

/** Whether a rule's path pattern matches a path: `/metrics`, `/logs/*`, `*`. */
export function isPathIn(url: string, path: string): boolean {
  return url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1)));
}

function hasResource({ resources }: PolicyRule, resource: string, subresource: string): boolean {
  if (subresource === "") return includes(resources, resource);
  return (
    includes(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
  );
}

function includes(values: readonly string[], value: string): boolean {
  return values.includes(value) || values.includes("*");
}
