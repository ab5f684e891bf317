import { ListwatchError } from "@listwatch/core-fifo";

/** Details of a selector that cannot be parsed. */
export interface InvalidSelectorDetails extends ErrorOptions {
  /** The selector as passed. */
  readonly selector: string;
  /** Index of the first error, in UTF-16 code units. */
  readonly position: number;
  /** The error at that position. */
  readonly problem: string;
}

/** A string is not a valid selector. Code `LW_INVALID_SELECTOR`. */
export class InvalidSelectorError extends ListwatchError {
  override readonly name: string = "InvalidSelectorError";
  /** The selector as passed. */
  readonly selector: string;
  /** Index of the first error, in UTF-16 code units. */
  readonly position: number;

  constructor(details: InvalidSelectorDetails, code = "LW_INVALID_SELECTOR") {
    const { selector, position, problem, ...options } = details;
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
 * In a value of a field selector, a backslash precedes a character other than a backslash, a comma
 * or an equals sign. Code `LW_INVALID_ESCAPE`.
 */
export class InvalidEscapeError extends InvalidSelectorError {
  override readonly name: string = "InvalidEscapeError";

  constructor(details: InvalidSelectorDetails) {
    super(details, "LW_INVALID_ESCAPE");
  }
}

/**
 * A value of a field selector contains a comma or an equals sign without a backslash. Code
 * `LW_UNESCAPED_CHARACTER`.
 */
export class UnescapedCharacterError extends InvalidSelectorError {
  override readonly name: string = "UnescapedCharacterError";

  constructor(details: InvalidSelectorDetails) {
    super(details, "LW_UNESCAPED_CHARACTER");
  }
}

/**
 * A requirement of a label selector has an invalid key, operator or value. Code
 * `LW_INVALID_REQUIREMENT`.
 */
export class InvalidRequirementError extends ListwatchError {
  override readonly name: string = "InvalidRequirementError";
  /** The invalid part: key, operator, number of values, or one value. */
  readonly part: "key" | "operator" | "values" | "value";
  /** Expected and actual value. */
  readonly problem: string;
  /** The invalid value, if `part` is `"value"`. */
  readonly value: string | undefined;

  constructor(part: "key" | "operator" | "values" | "value", problem: string, value?: string) {
    super("LW_INVALID_REQUIREMENT", `Cannot make a requirement: ${problem}`);
    this.part = part;
    this.problem = problem;
    this.value = value;
  }
}
