import { ListwatchError } from "@listwatch/core-fifo";

/** Details of a selector that cannot be parsed. */
export interface InvalidSelectorDetails extends ErrorOptions {
  /** Code of the error. @default "LW_INVALID_SELECTOR" */
  readonly code?: InvalidSelectorError["code"] | undefined;
  /** The selector as passed. */
  readonly selector: string;
  /** Index of the first error, in UTF-16 code units. */
  readonly position: number;
  /** Expected and actual text at that position. */
  readonly problem: string;
}

/**
 * A string is not a selector. The code is `LW_INVALID_SELECTOR`; in the value of a field selector
 * `LW_INVALID_ESCAPE` for a backslash before something else than a backslash, a comma or an equals
 * sign, and `LW_UNESCAPED_CHARACTER` for a comma or an equals sign without a backslash.
 */
export class InvalidSelectorError extends ListwatchError {
  /** Always `"InvalidSelectorError"`, also in minified programs. */
  override readonly name: string = "InvalidSelectorError";
  /** Kind of the syntax error; the last two only occur in values of field selectors. */
  declare readonly code: "LW_INVALID_ESCAPE" | "LW_INVALID_SELECTOR" | "LW_UNESCAPED_CHARACTER";
  /** The selector as passed. */
  readonly selector: string;
  /** Index of the first error, in UTF-16 code units. */
  readonly position: number;

  constructor(details: InvalidSelectorDetails) {
    const { code = "LW_INVALID_SELECTOR", selector, position, problem, ...options } = details;
    super(
      code,
      `Cannot parse the selector ${JSON.stringify(selector)}: ${problem} at position ${position}`,
      options,
    );
    this.selector = selector;
    this.position = position;
  }
}

/**
 * A requirement of a label selector has an invalid key, operator or value. Code
 * `LW_INVALID_REQUIREMENT`.
 */
export class InvalidRequirementError extends ListwatchError {
  /** Always `"InvalidRequirementError"`, also in minified programs. */
  override readonly name: string = "InvalidRequirementError";
  /** The wrong part: the key, the operator, the number of values, or one value. */
  readonly part: "key" | "operator" | "values" | "value";
  /** The expected and the actual value. */
  readonly problem: string;
  /** The invalid value, if `part` is `"value"`. */
  readonly value: string | undefined;

  /** @param problem the expected and the actual value, for the message */
  constructor(part: "key" | "operator" | "values" | "value", problem: string, value?: string) {
    super("LW_INVALID_REQUIREMENT", `Cannot make a requirement: ${problem}`);
    this.part = part;
    this.problem = problem;
    this.value = value;
  }
}
