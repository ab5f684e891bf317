import { notFound } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { LabelSelector } from "../selectors/label-selector.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { ReviewedForm, ReviewedWrite, VersionedResource } from "./reviewed-write.ts";
import type { WebhookRule } from "./webhook-configuration.ts";

/** The writes that a webhook or a policy is for. */
export interface MatchCriteria {
  /** Rules of which one must match. */
  readonly rules: readonly WebhookRule[];
  /** Rules of which none may match. @default none */
  readonly excluded?: readonly WebhookRule[] | undefined;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** Whether rules also match resources with the same objects in another version or group. */
  readonly matchesEquivalents: boolean;
}

const namespaceNames = { group: "", plural: "namespaces", kind: "Namespace" };

/**
 * Returns the form in which a webhook reviews a write, undefined if it is not called. As
 * `ShouldCallHook` in k8s.io/apiserver pkg/admission/plugin/webhook/generic, and `Matches` of
 * policies in pkg/admission/plugin/policy/matching.
 *
 * @param namespaces where the labels of namespaces are
 * @throws {ApiError} 404 if the namespace of a matching write does not exist
 */
export function formFor(
  criteria: MatchCriteria,
  write: ReviewedWrite,
  namespaces: ResourceStore,
): ReviewedForm | undefined {
  const { excluded = [], matchesEquivalents, namespaceSelector, objectSelector, rules } = criteria;
  const labels = namespaceLabels(namespaceSelector, write, namespaces);
  if (labels !== "missing" && labels !== "any" && !namespaceSelector.matches(labels)) {
    return undefined;
  }
  if (!matchesObject(objectSelector, write)) return undefined;
  if (matchingForm(excluded, matchesEquivalents, write) !== undefined) return undefined;
  const form = matchingForm(rules, matchesEquivalents, write);
  if (form !== undefined && labels === "missing") throw notFound(namespaceNames, write.namespace);
  return form;
}

function matchingForm(
  rules: readonly WebhookRule[],
  matchesEquivalents: boolean,
  write: ReviewedWrite,
): ReviewedForm | undefined {
  const { equivalents, form } = write;
  if (rules.some((rule) => matchesRule(rule, form.resource, write))) return form;
  if (!matchesEquivalents) return undefined;
  for (const rule of rules) {
    const found = equivalents.find(({ resource }) => matchesRule(rule, resource, write));
    if (found !== undefined) return found;
  }
  return undefined;
}

type Labels = Readonly<Record<string, string>> | undefined;

// A cluster-scoped object is never exempt, except a namespace.
function namespaceLabels(
  selector: LabelSelector,
  write: ReviewedWrite,
  namespaces: ResourceStore,
): Labels | "any" | "missing" {
  const { form, namespace, object, operation, subresource } = write;
  const isNamespace = form.resource.resource === "namespaces";
  if ((namespace === "" && !isNamespace) || selector.empty) return "any";
  const isWritten = operation === "CREATE" || operation === "UPDATE";
  if (isNamespace && subresource === "" && isWritten) return object?.metadata.labels;
  const stored = namespaces.get(namespace);
  return stored === undefined ? "missing" : stored.labels;
}

function matchesObject(selector: LabelSelector, { object, oldObject }: ReviewedWrite): boolean {
  if (selector.empty) return true;
  const matches = (one: ApiObject | undefined): boolean =>
    one !== undefined && selector.matches(one.metadata.labels);
  return matches(object) || matches(oldObject);
}

function matchesRule(
  rule: WebhookRule,
  { group, resource, version }: VersionedResource,
  { name, namespace, operation, subresource }: ReviewedWrite,
): boolean {
  const isNamespace = group === "" && version === "v1" && resource === "namespaces";
  const isNamespaced = namespace !== "" && !isNamespace;
  if (rule.scope !== "*" && (rule.scope === "Namespaced") !== isNamespaced) return false;
  const { resourceNames = [] } = rule;
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return false;
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, group) &&
    includes(rule.apiVersions, version) &&
    rule.resources.some((pattern) => matchesResource(pattern, resource, subresource))
  );
}

function includes(patterns: readonly string[], value: string): boolean {
  return patterns.includes("*") || patterns.includes(value);
}

function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const plural = slash < 0 ? pattern : pattern.slice(0, slash);
  const sub = slash < 0 ? "" : pattern.slice(slash + 1);
  return (plural === "*" || plural === resource) && (sub === "*" || sub === subresource);
}
