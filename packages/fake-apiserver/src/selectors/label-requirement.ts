import { invalid } from "../validation/field-errors.ts";
import { compareBytes } from "../base/go-text.ts";
import { checkLabelValue, checkQualifiedName } from "../validation/names.ts";
import { type FieldError, SelectorError } from "../api/errors.ts";

/** Operators of label selectors in Kubernetes' spelling. */
export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "exists" | "!" | "gt" | "lt";

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
}

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Path in the server's messages for a requirement without one. */
const noPath = "<nil>";
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** @throws {SelectorError} if the key is not a label key */
export function assertLabelKey(key: string): void {
  const problems = checkQualifiedName(key);
  if (problems.length > 0) throw fail([invalid(noPath, key, problems.join("; "))]);
}

/** Checks and creates a requirement. @throws {SelectorError} with the server's message */
export function createLabelRequirement(
  key: string,
  operator: LabelOperator,
  values: Iterable<string>,
): LabelRequirement {
  const sorted = [...new Set(values)].toSorted(compareBytes);
  const problems: FieldError[] = [];
  if (operator === "gt" || operator === "lt") {
    for (const [index, value] of sorted.entries()) {
      if (parseInt64(value) !== undefined) continue;
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
      problems.push(invalid(`values[${index}]`, value, detail));
    }
  }
  for (const [index, value] of sorted.entries()) {
    const detail = checkLabelValue(value).join("; ");
    if (detail !== "") problems.push(invalid(`values[${index}][${key}]`, value, detail));
  }
  if (problems.length > 0) throw fail(problems);
  return { key, operator, values: sorted };
}

/** Whether labels match a requirement. `!=` and `notin` also match labels without the key. */
export function matchesLabelRequirement(requirement: LabelRequirement, labels: Labels): boolean {
  const { key, operator, values } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === "exists") return value !== undefined;
  if (operator === "!") return value === undefined;
  if (operator === "notin" || operator === "!=") {
    return value === undefined || !contains(values, value);
  }
  if (value === undefined) return false;
  if (operator === "gt" || operator === "lt") return compares(operator, value, values[0] ?? "");
  return contains(values, value);
}

// A selector may have thousands of values, which are sorted, and meet thousands of objects.
function contains(sorted: readonly string[], value: string): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value;
}

function compares(operator: "gt" | "lt", label: string, bound: string): boolean {
  const left = parseInt64(label);
  const right = parseInt64(bound);
  if (left === undefined || right === undefined) return false;
  return operator === "gt" ? left > right : left < right;
}

/** Same as Go's `strconv.ParseInt(text, 10, 64)`. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = text.startsWith("+") ? BigInt(text.slice(1)) : BigInt(text);
  return value > maxInt64 || value < minInt64 ? undefined : value;
}

/** Removes duplicates; several problems are put in brackets. */
function fail(problems: readonly FieldError[]): SelectorError {
  const texts = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))];
  return new SelectorError(texts.length === 1 ? texts.join("") : `[${texts.join(", ")}]`);
}
