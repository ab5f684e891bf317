import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import { compareBytes } from "../base/go-text.ts";

/** The operators of `matchExpressions` that have a list of values. */
const setOperators: ReadonlyMap<unknown, string> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
]);

/** A plain map of labels as a selector text: `app=web,tier=db`, "" for an empty one. */
export function formatLabels(labels: unknown): string {
  return Object.entries(recordOf(labels))
    .map(([key, value]) => `${key}=${String(value)}`)
    .toSorted(compareBytes)
    .join(",");
}

/**
 * A selector of a spec (`matchLabels` and `matchExpressions`, or a plain map as in
 * ReplicationControllers and Services) as text: `app=web,tier in (a,b)`. "" for an empty one.
 */
export function formatLabelSelector(selector: unknown): string {
  const { matchLabels, matchExpressions, ...plain } = recordOf(selector);
  if (matchLabels === undefined && matchExpressions === undefined) return formatLabels(plain);
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.filter(isRecord) : [];
  const labels = formatLabels(matchLabels);
  const terms = [...(labels === "" ? [] : [labels]), ...expressions.map(formatExpression)];
  return terms.join(",");
}

function formatExpression({ key, operator, values }: Readonly<Record<string, unknown>>): string {
  const name = String(key);
  if (operator === "Exists") return name;
  if (operator === "DoesNotExist") return `!${name}`;
  const list = Array.isArray(values) ? values.map(String).toSorted(compareBytes) : [];
  return `${name} ${setOperators.get(operator) ?? String(operator)} (${list.join(",")})`;
}
