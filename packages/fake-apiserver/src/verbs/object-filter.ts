import type { FoundResource } from "../api/registry.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { badRequest, plainServerError, SelectorError } from "../api/errors.ts";
import { parseFieldSelector } from "../selectors/field-selector.ts";
import { assertSupportedFields, fieldReader } from "../selectors/fields.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import { parseShardSelector, type ShardSelector } from "../selectors/shard-selector.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";

type Address = Pick<RequestInfo, "namespace" | "name" | "query">;

/** Objects of a resource that a list or watch selects. */
export interface ObjectFilter {
  /** Prefix of all keys: `namespace/`, or nothing for all namespaces and cluster-scoped resources. */
  readonly root: string;
  /** Whether a label or field selector is set: then a list does not count the remaining items. */
  readonly selective: boolean;
  /** The only key that can match, if a field selector names it. */
  readonly key?: string | undefined;
  /** The text of the shard selector that counts. */
  readonly shards?: string | undefined;
  matches(stored: StoredObject): boolean;
}

/**
 * Builds the filter of a request.
 *
 * @param sharded whether `shardSelector` counts
 * @throws {ApiError} 400 for selectors that do not parse or ask for fields the resource does not
 *   offer, 500 for bad shards
 */
export function createObjectFilter(
  resource: FoundResource,
  info: Address,
  sharded: boolean,
): ObjectFilter {
  const filter = createCollectionFilter(resource, info);
  const shardText = sharded ? (info.query.get("shardSelector") ?? "") : "";
  if (info.name === "" && shardText === "") return filter;
  const shard = shardText === "" ? undefined : parseShards(shardText);
  const key = info.name === "" ? undefined : storageKey(info.namespace, info.name);
  return {
    ...filter,
    selective: true,
    shards: shard?.text,
    matches: (stored) =>
      (key === undefined || stored.key === key) &&
      filter.matches(stored) &&
      (shard === undefined || shard.matches(stored)),
  };
}

function createCollectionFilter(
  { definition, served }: FoundResource,
  { namespace, query }: Address,
): ObjectFilter {
  const root = namespace === "" ? "" : `${namespace}/`;
  const labelText = query.get("labelSelector") ?? "";
  const fieldText = query.get("fieldSelector") ?? "";
  if (labelText === "" && fieldText === "") {
    const inRoot = (stored: StoredObject): boolean => stored.key.startsWith(root);
    return { root, selective: false, matches: inRoot };
  }
  const { labels, fields } = parseSelectors(labelText, fieldText, (selector) =>
    assertSupportedFields(selector, definition, served),
  );
  const exact = (field: string): string | undefined =>
    fields.requirements.find((term) => term.field === field && term.operator === "=")?.value;
  const selectedNamespace = exact("metadata.namespace") ?? "";
  const read = fieldReader(definition, served);
  // A namespace selected by field narrows a list of all namespaces to one.
  const narrowed = root === "" && definition.namespaced && selectedNamespace !== "";
  const base = narrowed ? `${selectedNamespace}/` : root;
  const name = exact("metadata.name");
  const named = name !== undefined && (base !== "" || !definition.namespaced);
  return {
    root: base,
    selective: true,
    ...(named ? { key: base + name } : {}),
    matches: (stored) =>
      stored.key.startsWith(root) &&
      labels.matches(stored.labels) &&
      (fields.empty ||
        fields.matches((field) =>
          field === "metadata.name" ? stored.name : read(stored.object, field),
        )),
  };
}

function parseShards(text: string): ShardSelector {
  try {
    return parseShardSelector(text);
  } catch (error) {
    throw error instanceof SelectorError ? plainServerError(error.message) : error;
  }
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
