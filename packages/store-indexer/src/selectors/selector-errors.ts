import { ListwatchError } from "@listwatch/core-fifo";

/** What is known about a selector that cannot be parsed. */
export interface InvalidSelectorDetails extends ErrorOptions {
  /** The text as it was given. */
  readonly selector: string;
  /** Index in the text, in UTF-16 code units, where the first wrong thing begins. */
  readonly position: number;
  /** What is wrong there. */
  readonly problem: string;
}

/** A text is no selector. Code `LW_INVALID_SELECTOR`. */
export class InvalidSelectorError extends ListwatchError {
  override readonly name: string = "InvalidSelectorError";
  /** The text as it was given. */
  readonly selector: string;
  /** Index in the text, in UTF-16 code units, where the first wrong thing begins. */
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
 * A value in a field selector has a backslash before something else than a backslash, a comma or an
 * equals sign. Code `LW_INVALID_ESCAPE`.
 */
export class InvalidEscapeError extends InvalidSelectorError {
  override readonly name: string = "InvalidEscapeError";

  constructor(details: InvalidSelectorDetails) {
    super(details, "LW_INVALID_ESCAPE");
  }
}

/**
 * A value in a field selector has a comma or an equals sign without a backslash. Code
 * `LW_UNESCAPED_CHARACTER`.
 */
export class UnescapedCharacterError extends InvalidSelectorError {
  override readonly name: string = "UnescapedCharacterError";

  constructor(details: InvalidSelectorDetails) {
    super(details, "LW_UNESCAPED_CHARACTER");
  }
}

/**
 * A requirement of a label selector has a key, an operator or values that cannot be. Code
 * `LW_INVALID_REQUIREMENT`.
 */
export class InvalidRequirementError extends ListwatchError {
  override readonly name: string = "InvalidRequirementError";
  /** What is wrong: the key, the operator, the number of values, or one value. */
  readonly part: "key" | "operator" | "values" | "value";
  /** What was expected and what came. */
  readonly problem: string;
  /** The value that is wrong, if `part` is `"value"`. */
  readonly value: string | undefined;

  constructor(part: "key" | "operator" | "values" | "value", problem: string, value?: string) {
    super("LW_INVALID_REQUIREMENT", `Cannot make a requirement: ${problem}`);
    this.part = part;
    this.problem = problem;
    this.value = value;
  }
}
