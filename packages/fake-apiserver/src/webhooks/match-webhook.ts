import { notFound } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { LabelSelector } from "../selectors/label-selector.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { ReviewedForm, ReviewedWrite, VersionedResource } from "./reviewed-write.ts";
import type { AdmissionWebhook, WebhookRule } from "./webhook-configuration.ts";

const namespaceNames = { group: "", plural: "namespaces", kind: "Namespace" };

/**
 * Returns the form in which a webhook reviews a write, undefined if it is not called. As
 * `ShouldCallHook` in k8s.io/apiserver pkg/admission/plugin/webhook/generic.
 *
 * @param namespaces where the labels of namespaces are
 * @throws {ApiError} 404 if the namespace of a matching write does not exist
 */
export function formFor(
  webhook: AdmissionWebhook,
  write: ReviewedWrite,
  namespaces: ResourceStore,
): ReviewedForm | undefined {
  const labels = namespaceLabels(webhook.namespaceSelector, write, namespaces);
  if (labels !== "missing" && labels !== "any" && !webhook.namespaceSelector.matches(labels)) {
    return undefined;
  }
  if (!matchesObject(webhook.objectSelector, write)) return undefined;
  const form = matchingForm(webhook, write);
  if (form !== undefined && labels === "missing") throw notFound(namespaceNames, write.namespace);
  return form;
}

function matchingForm(webhook: AdmissionWebhook, write: ReviewedWrite): ReviewedForm | undefined {
  const { equivalents, form } = write;
  if (webhook.rules.some((rule) => matchesRule(rule, form.resource, write))) return form;
  if (!webhook.matchesEquivalents) return undefined;
  for (const rule of webhook.rules) {
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
  { namespace, operation, subresource }: ReviewedWrite,
): boolean {
  const isNamespace = group === "" && version === "v1" && resource === "namespaces";
  const isNamespaced = namespace !== "" && !isNamespace;
  if (rule.scope !== "*" && (rule.scope === "Namespaced") !== isNamespaced) return false;
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
