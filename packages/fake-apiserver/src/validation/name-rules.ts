import type { ResourceDefinition } from "../api/resource-definition.ts";
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  type NameRule,
} from "./names.ts";

/** Kinds whose names follow another rule than that of DNS subdomains. */
const specialRules: ReadonlyMap<string, NameRule> = new Map<string, NameRule>([
  ["/Namespace", checkDnsLabel],
  ["/Service", checkDns1035Label],
  ["rbac.authorization.k8s.io/Role", checkPathSegment],
  ["rbac.authorization.k8s.io/RoleBinding", checkPathSegment],
  ["rbac.authorization.k8s.io/ClusterRole", checkPathSegment],
  ["rbac.authorization.k8s.io/ClusterRoleBinding", checkPathSegment],
  ["apiregistration.k8s.io/APIService", checkPathSegment],
]);

/** The rule for names of a resource's objects. */
export function nameRuleOf({ group, kind }: ResourceDefinition): NameRule {
  return specialRules.get(`${group}/${kind}`) ?? checkDnsSubdomain;
}

/**
 * A `generateName` as the rules look at it: something will follow, so a dash at the end is fine
 * (k8s.io/apimachinery, api/validation, maskTrailingDash, which takes one character too many; it
 * changes nothing about the verdict).
 */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}
