import { isJsonEqual } from "@listwatch/core-fifo/base";
import { forbidden, notFound } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { UserInfo, AccessRequest } from "../api/access.ts";
import { mastersGroup } from "../authentication/user-info.ts";
import { goQuote } from "../base/go-text.ts";
import { objects } from "../base/read-fields.ts";
import type { Storage } from "../storage/storage.ts";
import { noResource } from "./access-request.ts";
import { emptyRule, isPathIn, type PolicyRule, readRule, ruleAllows } from "./policy-rule.ts";
import { roleReference, rulesOfRole, rulesOfUser } from "./role-rules.ts";

/** The writer of a role or binding. */
export interface Grant {
  readonly storage: Pick<Storage, "store">;
  readonly user: UserInfo;
  readonly definition: ResourceDefinition;
}

/**
 * Checks that a role or binding grants only permissions its writer has.
 *
 * @param old the stored object, undefined for a new one
 * @throws {ApiError} 403, and 404 for a binding of a role that does not exist
 */
export function checkGrant(grant: Grant, object: ApiObject, old: ApiObject | undefined): void {
  const { storage, user } = grant;
  if (user.groups.includes(mastersGroup)) return;
  if (old !== undefined && isJsonEqual(grantIn(object), grantIn(old))) return;
  const { namespace = "" } = object.metadata;
  const own = rulesOfUser(storage, user, namespace).granted.map(({ rule }) => rule);
  if (own.some((rule) => ruleAllows(rule, permissionFor(grant, object)))) return;
  const held = new HeldRules(own);
  const granted = grantedRules(grant, object).flatMap(singleRules);
  const missing = granted.filter((rule) => !held.cover(rule));
  if (missing.length > 0) throw refusal(grant, object, missing);
}

function grantIn({ aggregationRule, roleRef, rules, subjects }: ApiObject): readonly unknown[] {
  return [aggregationRule, roleRef, rules, subjects];
}

function isBinding({ plural }: ResourceDefinition): boolean {
  return plural.endsWith("bindings");
}

// The verbs that allow users to grant permissions they do not have.
function permissionFor({ definition, user }: Grant, object: ApiObject): AccessRequest {
  const { group, plural } = definition;
  const { name = "", namespace = "" } = object.metadata;
  const base = { ...noResource, user, isResource: true, path: "", group, namespace, version: "v1" };
  if (!isBinding(definition)) return { ...base, verb: "escalate", resource: plural, name };
  const reference = roleReference(object);
  const resource = `${reference.kind.toLowerCase()}s`;
  return { ...base, verb: "bind", resource, name: reference.name };
}

function grantedRules({ definition, storage }: Grant, object: ApiObject): readonly PolicyRule[] {
  if (!isBinding(definition)) return objects(object, "rules").map(readRule);
  const reference = roleReference(object);
  const rules = rulesOfRole(storage, reference);
  if (rules !== undefined) return rules;
  const plural = reference.kind.toLowerCase();
  throw notFound({ group: definition.group, plural, kind: reference.kind }, reference.name);
}

// 64 strings in each of four lists would be 16 million rules.
const maxSingleRules = 10_000;

/**
 * Splits a rule into rules with one verb on one thing each. One that would be very many stays as it
 * is, so that a single rule of the writer must cover it.
 */
function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const { apiGroups, nonResourceURLs, resourceNames, resources, verbs } = rule;
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  const things = nonResourceURLs.length + apiGroups.length * resources.length * names.length;
  if (verbs.length * things > maxSingleRules) return [rule];
  const single: PolicyRule[] = [];
  for (const verb of verbs) {
    for (const url of nonResourceURLs) {
      single.push({ ...emptyRule, verbs: [verb], nonResourceURLs: [url] });
    }
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const name of names) {
          const what = { apiGroups: [group], resources: [resource], resourceNames: name };
          single.push({ ...emptyRule, ...what, verbs: [verb] });
        }
      }
    }
  }
  return single;
}

/** The rules that a writer has, found by resource: writer and role may have thousands. */
class HeldRules {
  readonly #rules: readonly PolicyRule[];
  readonly #byResource = new Map<string, PolicyRule[]>();

  constructor(rules: readonly PolicyRule[]) {
    this.#rules = rules;
    for (const rule of rules) {
      for (const resource of new Set(rule.resources)) {
        const known = this.#byResource.get(resource);
        if (known === undefined) this.#byResource.set(resource, [rule]);
        else known.push(rule);
      }
    }
  }

  cover(rule: PolicyRule): boolean {
    const [resource] = rule.resources;
    const found =
      resource === undefined
        ? this.#rules
        : coveringNames(resource).flatMap((name) => this.#byResource.get(name) ?? []);
    return found.some((held) => covers(held, rule));
  }
}

// Resources of rules that cover a resource.
function coveringNames(resource: string): readonly string[] {
  const [, subresource] = resource.split("/");
  return ["*", resource, ...(subresource === undefined ? [] : [`*/${subresource}`])];
}

function covers(held: PolicyRule, single: PolicyRule): boolean {
  const has = (name: "apiGroups" | "verbs"): boolean =>
    held[name].includes("*") || single[name].every((one) => held[name].includes(one));
  if (!has("verbs")) return false;
  const hasUrls = single.nonResourceURLs.every((url) =>
    held.nonResourceURLs.some((one) => isPathIn(one, url)),
  );
  if (single.resources.length === 0 || !hasUrls) return hasUrls;
  const isNamed =
    held.resourceNames.length === 0 ||
    (single.resourceNames.length > 0 &&
      single.resourceNames.every((name) => held.resourceNames.includes(name)));
  const hasAll = single.resources.every((one) =>
    coveringNames(one).some((name) => held.resources.includes(name)),
  );
  return isNamed && has("apiGroups") && hasAll;
}

// pkg/registry/rbac/validation/rule.go.
function refusal(
  { definition, user }: Grant,
  object: ApiObject,
  missing: readonly PolicyRule[],
): Error {
  const lines = [...new Set(compact(missing).map(describe))].toSorted();
  const who = `user ${goQuote(user.username)} (groups=${quoted(user.groups)})`;
  return forbidden(
    definition,
    object.metadata.name ?? "",
    `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join("\n")}`,
  );
}

function compact(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const [index, rule] of rules.entries()) {
    const { apiGroups, nonResourceURLs, resourceNames, resources, verbs } = rule;
    const isSimple = nonResourceURLs.length === 0 && resourceNames.length === 0;
    const key = isSimple ? JSON.stringify([apiGroups, resources]) : String(index);
    const known = merged.get(key)?.verbs ?? [];
    merged.set(key, { ...rule, verbs: [...known, ...verbs] });
  }
  return [...merged.values()];
}

function describe(rule: PolicyRule): string {
  const parts = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ] as const;
  const shown = parts.filter(([, values]) => values.length > 0);
  return `{${shown.map(([name, values]) => `${name}:${quoted(values)}`).join(", ")}}`;
}

// Formats like Go's `%q`.
function quoted(values: readonly string[]): string {
  return `[${values.map(goQuote).join(" ")}]`;
}
