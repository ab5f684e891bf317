import { labelKeyProblem, labelValueProblem, parseInteger } from "./label-syntax.ts";
import { InvalidRequirementError } from "./selector-errors.ts";

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Operator of a requirement, spelled as in apimachinery. `=` and `==` are equivalent. */
export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "exists" | "!" | "gt" | "lt";

/** Whether the value of a label, `undefined` if it is missing, satisfies a requirement. */
export type LabelTest = (value: string | undefined) => boolean;

/** Returns the value of a label; `undefined` if it is missing. */
export function labelOf(labels: Labels | undefined, key: string): string | undefined {
  const value: unknown = labels?.[key];
  // Checked by type, because labels come from JSON, where "constructor" is inherited.
  return typeof value === "string" ? value : undefined;
}

const numberOfValues: Readonly<Record<LabelOperator, number | "some">> = {
  "=": 1,
  "==": 1,
  "!=": 1,
  gt: 1,
  lt: 1,
  exists: 0,
  "!": 0,
  in: "some",
  notin: "some",
};

/**
 * Creates the test of a requirement.
 *
 * @param validate whether key and values must be valid labels
 * @throws {InvalidRequirementError} if key, operator and values do not fit together or are not
 *   valid labels
 */
export function createLabelTest(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
  validate: boolean,
): LabelTest {
  const keyProblem = validate && labelKeyProblem(key);
  if (keyProblem) throw new InvalidRequirementError("key", keyProblem);
  checkNumberOfValues(operator, values.length);
  const test = createValueTest(operator, values);
  if (validate) {
    for (const value of values) {
      const problem = labelValueProblem(value);
      if (problem !== undefined) throw new InvalidRequirementError("value", problem, value);
    }
  }
  return test;
}

function createValueTest(operator: LabelOperator, values: readonly string[]): LabelTest {
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
  const bound = parseInteger(first);
  if (bound === undefined) {
    const got = JSON.stringify(first);
    const problem = `expected an integer of 64 bits for the operator ${operator}, got ${got}`;
    throw new InvalidRequirementError("value", problem, first);
  }
  const sign = operator === "gt" ? 1n : -1n;
  return (value) => {
    const integer = value === undefined ? undefined : parseInteger(value);
    return integer !== undefined && (integer - bound) * sign > 0n;
  };
}

function checkNumberOfValues(operator: LabelOperator, count: number): void {
  // Reachable despite the type: operators may come from JSON.
  if (!Object.hasOwn(numberOfValues, operator)) {
    const problem = `expected an operator of label selectors, got ${JSON.stringify(operator)}`;
    throw new InvalidRequirementError("operator", problem);
  }
  const wanted = numberOfValues[operator];
  if (wanted === "some" ? count > 0 : count === wanted) return;
  const expected = wanted === "some" ? "at least one value" : `exactly ${wanted} values`;
  const problem = `expected ${expected} for the operator ${operator}, got ${count}`;
  throw new InvalidRequirementError("values", problem);
}
