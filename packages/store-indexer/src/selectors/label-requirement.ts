import { labelKeyProblem, labelValueProblem, parseInteger } from "./label-syntax.ts";
import { InvalidRequirementError } from "./selector-errors.ts";
import { aBoolean, checkOptions, type OptionsOf } from "@listwatch/core-fifo/base";

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Operator of a requirement, spelled as in apimachinery. `=` and `==` are equivalent. */
export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "exists" | "!" | "gt" | "lt";

/** Options of {@link LabelRequirement}. */
export interface LabelRequirementOptions {
  /**
   * Whether key and values must be valid labels. The number of values is checked in any case.
   *
   * @default true
   */
  readonly validate?: boolean | undefined;
}

/** Checks of {@link LabelRequirementOptions}. */
export const validationTable: OptionsOf<LabelRequirementOptions> = { validate: aBoolean };

/** One term of a label selector. Immutable. */
export class LabelRequirement {
  /** Name of the label. */
  readonly key: string;
  /** Condition for the label's value or presence. */
  readonly operator: LabelOperator;
  /** Values to compare with, sorted by code unit. Empty for `exists` and `!`. */
  readonly values: readonly string[];
  readonly #accepts: Predicate;

  /**
   * @param values values to compare with; none for `exists` and `!`
   * @throws {InvalidRequirementError} if key, operator and values do not fit together or are not
   *   valid labels
   */
  constructor(
    key: string,
    operator: LabelOperator,
    values: readonly string[] = [],
    options: LabelRequirementOptions = {},
  ) {
    checkOptions(options, validationTable);
    const { validate = true } = options;
    if (validate) requireValid("key", key, labelKeyProblem(key));
    requireNumberOfValues(operator, values);
    this.#accepts = predicate(operator, values);
    if (validate)
      for (const value of values) requireValid("value", value, labelValueProblem(value));
    this.key = key;
    this.operator = operator;
    this.values = values.toSorted();
  }

  /** Whether labels match the requirement. `!=` and `notin` match labels without the key. */
  matches(labels: Labels | undefined): boolean {
    const value = labels?.[this.key];
    // Checked by type, because labels come from JSON, where "constructor" is inherited.
    return this.#accepts(typeof value === "string" ? value : undefined);
  }

  /** Returns the requirement as part of a selector string. */
  toString(): string {
    switch (this.operator) {
      case "exists":
        return this.key;
      case "!":
        return `!${this.key}`;
      case "in":
      case "notin":
        return `${this.key} ${this.operator} (${this.values.join(",")})`;
      case "gt":
        return `${this.key}>${this.values.join(",")}`;
      case "lt":
        return `${this.key}<${this.values.join(",")}`;
      case "=":
      case "==":
      case "!=":
        break;
    }
    return `${this.key}${this.operator}${this.values.join(",")}`;
  }
}

type Predicate = (value: string | undefined) => boolean;

/** Creates the test for a label's value, which is `undefined` if the label is missing. */
function predicate(operator: LabelOperator, values: readonly string[]): Predicate {
  const [first = ""] = values;
  // A few values are searched, which takes less time than a set.
  const many = values.length > 16 ? new Set(values) : undefined;
  const includes = (value: string): boolean => many?.has(value) ?? values.includes(value);
  switch (operator) {
    case "=":
    case "==":
      return (value) => value === first;
    case "!=":
      return (value) => value !== first;
    case "in":
      return (value) => value !== undefined && includes(value);
    case "notin":
      return (value) => value === undefined || !includes(value);
    case "exists":
      return (value) => value !== undefined;
    case "!":
      return (value) => value === undefined;
    case "gt":
    case "lt":
      break;
  }
  const bound = requireInteger(operator, first);
  const sign = operator === "gt" ? 1n : -1n;
  return (value) => {
    const integer = value === undefined ? undefined : parseInteger(value);
    return integer !== undefined && (integer - bound) * sign > 0n;
  };
}

function requireValid(part: "key" | "value", value: string, problem: string | undefined): void {
  if (problem === undefined) return;
  throw new InvalidRequirementError(part, problem, part === "value" ? value : undefined);
}

function requireNumberOfValues(operator: LabelOperator, values: readonly string[]): void {
  const wanted = numberOfValues(operator);
  const count = values.length;
  if (wanted === "some" ? count > 0 : count === wanted) return;
  const expected = wanted === "some" ? "at least one value" : `exactly ${wanted} values`;
  throw new InvalidRequirementError(
    "values",
    `expected ${expected} for the operator ${operator}, got ${count}`,
  );
}

function numberOfValues(operator: LabelOperator): number | "some" {
  switch (operator) {
    case "in":
    case "notin":
      return "some";
    case "=":
    case "==":
    case "!=":
    case "gt":
    case "lt":
      return 1;
    case "exists":
    case "!":
      return 0;
    default:
      return rejectOperator(operator);
  }
}

// Reachable despite the type: operators may come from JSON.
function rejectOperator(operator: never): never {
  throw new InvalidRequirementError(
    "operator",
    `expected an operator of label selectors, got ${JSON.stringify(operator)}`,
  );
}

function requireInteger(operator: "gt" | "lt", value: string): bigint {
  const integer = parseInteger(value);
  if (integer !== undefined) return integer;
  throw new InvalidRequirementError(
    "value",
    `expected an integer of 64 bits for the operator ${operator}, got ${JSON.stringify(value)}`,
    value,
  );
}
