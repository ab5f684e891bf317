import { isRecord, recordOf } from "@listwatch/core-fifo/base";

const operators = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
]);

/**
 * A selector as a label selector text: a text as it is, a LabelSelector object or a plain map of
 * labels written out.
 */
export function selectorText(selector: unknown): string {
  if (typeof selector === "string") return selector;
  if (!isRecord(selector)) return "";
  const { matchExpressions, matchLabels } = selector;
  const isObject = matchExpressions !== undefined || matchLabels !== undefined;
  const labels = recordOf(isObject ? matchLabels : selector);
  const equal = Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`);
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.map(expressionText) : [];
  return [...equal, ...expressions].toSorted().join(",");
}

function expressionText(expression: unknown): string {
  const { key, operator, values } = recordOf(expression);
  const word = operators.get(String(operator));
  if (word === undefined) return operator === "DoesNotExist" ? `!${String(key)}` : String(key);
  const texts = Array.isArray(values) ? values.map(String).toSorted() : [];
  return `${String(key)} ${word} (${texts.join(",")})`;
}
