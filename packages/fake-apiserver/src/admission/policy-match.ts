import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { type LabelSelector, parseLabelSelector } from "../selectors/label-selector.ts";
import type { AdmissionRequest } from "./admission-plugin.ts";

/** Whether a policy or binding with these `matchConstraints` or `matchResources` sees a request. */
export function isConstrained(
  constraints: unknown,
  request: AdmissionRequest,
  namespace: ApiObject | undefined,
): boolean {
  if (!isRecord(constraints)) return true;
  const included = objects(constraints, "resourceRules");
  const excluded = objects(constraints, "excludeResourceRules");
  if (excluded.some((rule) => isRuleMatched(rule, request))) return false;
  if (included.length > 0 && !included.some((rule) => isRuleMatched(rule, request))) return false;
  return isSelected(constraints, request, namespace);
}

function isSelected(
  constraints: JsonObject,
  request: AdmissionRequest,
  namespace: ApiObject | undefined,
): boolean {
  const ofNamespace = selectorOf(constraints["namespaceSelector"]);
  const isNamespaced = namespace !== undefined;
  if (isNamespaced && !ofNamespace.matches(namespace.metadata.labels)) return false;
  const ofObject = selectorOf(constraints["objectSelector"]);
  const { object, oldObject } = request;
  return [object, oldObject].some((one) => one !== null && ofObject.matches(one.metadata.labels));
}

/** Reads a selector of labels; an absent one selects everything. */
export function selectorOf(selector: unknown): LabelSelector {
  const { matchExpressions, matchLabels } = isRecord(selector)
    ? { matchExpressions: selector["matchExpressions"], matchLabels: selector["matchLabels"] }
    : { matchExpressions: undefined, matchLabels: undefined };
  return parseLabelSelector(
    formatLabelSelector({ matchLabels: matchLabels ?? {}, matchExpressions }),
  );
}

function isRuleMatched(rule: JsonObject, request: AdmissionRequest): boolean {
  const { group, resource, version } = request.resource;
  const scope = text(rule, "scope");
  const isNamespaced = request.namespace !== "" && resource !== "namespaces";
  if (scope === "Namespaced" && !isNamespaced) return false;
  if (scope === "Cluster" && isNamespaced) return false;
  const names = texts(rule, "resourceNames");
  return (
    includes(texts(rule, "operations"), request.operation) &&
    includes(texts(rule, "apiGroups"), group) &&
    includes(texts(rule, "apiVersions"), version) &&
    (names.length === 0 || names.includes(request.name)) &&
    texts(rule, "resources").some((pattern) => {
      const [plural = "", sub = ""] = pattern.split("/");
      const isResource = plural === "*" || plural === resource;
      return isResource && (sub === "*" || sub === request.subResource);
    })
  );
}

function includes(patterns: readonly string[], value: string): boolean {
  return patterns.includes("*") || patterns.includes(value);
}
