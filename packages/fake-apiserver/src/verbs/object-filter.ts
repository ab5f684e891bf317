import type { RequestInfo } from "../http/request-info.ts";
import { badRequest } from "../status/errors.ts";
import type { ResourceDefinition, ServedVersion } from "../resources/resource-definition.ts";
import { parseFieldSelector } from "../selectors/field-selector.ts";
import { assertSupportedFields, fieldReader } from "../selectors/fields.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import { SelectorError } from "../selectors/selector-error.ts";
import { storageKey, type StoredVersion } from "../storage/stored-version.ts";

/** Which objects of a resource a list or watch is about. */
export interface ObjectFilter {
  /** What all keys begin with: `namespace/`, or nothing for all namespaces and cluster-scoped resources. */
  readonly root: string;
  /** A label or field selector is at work, so a list cannot say how many items remain. */
  readonly selective: boolean;
  /** The only key that can match, if a field selector names it. */
  readonly key?: string;
  matches(version: StoredVersion): boolean;
}

/**
 * Builds the filter of a request.
 *
 * @throws {ApiError} 400 for selectors that do not parse or ask for fields the resource does not offer.
 */
export function createObjectFilter(
  definition: ResourceDefinition,
  served: ServedVersion,
  { name, namespace, query }: Pick<RequestInfo, "name" | "namespace" | "query">,
): ObjectFilter {
  const root = namespace === "" ? "" : `${namespace}/`;
  const filter = createCollectionFilter(definition, served, root, query);
  if (name === "") return filter;
  const key = storageKey(namespace, name);
  return {
    ...filter,
    selective: true,
    matches: (version) => version.key === key && filter.matches(version),
  };
}

function createCollectionFilter(
  definition: ResourceDefinition,
  served: ServedVersion,
  root: string,
  query: URLSearchParams,
): ObjectFilter {
  const labelText = query.get("labelSelector") ?? "";
  const fieldText = query.get("fieldSelector") ?? "";
  if (labelText === "" && fieldText === "") {
    const inRoot = (version: StoredVersion): boolean => version.key.startsWith(root);
    return { root, selective: false, matches: inRoot };
  }
  const { labels, fields } = parseSelectors(labelText, fieldText, (selector) =>
    assertSupportedFields(selector, definition, served),
  );
  const exact = (field: string): string | undefined =>
    fields.requirements.find((term) => term.field === field && term.operator === "=")?.value;
  const selectedNamespace = exact("metadata.namespace") ?? "";
  const read = fieldReader(definition);
  // A namespace selected by field narrows a list of all namespaces to one: api-server §1.8.
  const narrowed = root === "" && definition.namespaced && selectedNamespace !== "";
  const base = narrowed ? `${selectedNamespace}/` : root;
  const name = exact("metadata.name");
  const named = name !== undefined && (base !== "" || !definition.namespaced);
  return {
    root: base,
    selective: true,
    ...(named ? { key: base + name } : {}),
    matches: (version) =>
      version.key.startsWith(root) &&
      labels.matches(version.labels) &&
      (fields.empty ||
        fields.matches((field) =>
          field === "metadata.name" ? version.name : read(version.object, field),
        )),
  };
}

function parseSelectors(
  labelText: string,
  fieldText: string,
  check: (selector: ReturnType<typeof parseFieldSelector>) => void,
): {
  labels: ReturnType<typeof parseLabelSelector>;
  fields: ReturnType<typeof parseFieldSelector>;
} {
  try {
    const labels = parseLabelSelector(labelText);
    const fields = parseFieldSelector(fieldText);
    check(fields);
    return { labels, fields };
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}
