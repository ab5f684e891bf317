import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { compareBytes, textOf } from "../base/go-text.ts";

const setOperators: ReadonlyMap<unknown, string> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
]);

/** Formats a map of labels as a selector: `app=web,tier=db`, "" for an empty one. */
export function formatLabels(labels: unknown): string {
  return Object.entries(recordOf(labels))
    .map(([key, value]) => `${key}=${textOf(value)}`)
    .toSorted(compareBytes)
    .join(",");
}

/**
 * Formats the selector in a spec: `app=web,tier in (a,b)`, "" for an empty one. Accepts
 * `matchLabels` and `matchExpressions`, a map as in ReplicationControllers and Services, or a
 * string. Terms are sorted by key like k8s.io/apimachinery `labels.Selector`.
 */
export function formatLabelSelector(selector: unknown): string {
  if (typeof selector === "string") return selector;
  const { matchLabels, matchExpressions, ...plain } = recordOf(selector);
  if (matchLabels === undefined && matchExpressions === undefined) return formatLabels(plain);
  const labels = Object.entries(recordOf(matchLabels)).map(([key, value]): Term => ({
    key,
    text: `${key}=${textOf(value)}`,
  }));
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.filter(isRecord) : [];
  const terms = [...labels, ...expressions.map(formatExpression)];
  return terms
    .toSorted((left, right) => compareBytes(left.key, right.key))
    .map(({ text }) => text)
    .join(",");
}

interface Term {
  readonly key: string;
  readonly text: string;
}

function formatExpression({ key, operator, values }: JsonObject): Term {
  const name = textOf(key);
  if (operator === "Exists") return { key: name, text: name };
  if (operator === "DoesNotExist") return { key: name, text: `!${name}` };
  const list = Array.isArray(values) ? values.map(textOf).toSorted(compareBytes) : [];
  const word = setOperators.get(operator) ?? textOf(operator);
  return { key: name, text: `${name} ${word} (${list.join(",")})` };
}
