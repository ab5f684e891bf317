import {
  createLabelTest,
  labelOf,
  type LabelOperator,
  type Labels,
  type LabelTest,
} from "./label-test.ts";
import { aBoolean, checkOptions, type OptionsOf } from "@listwatch/core-fifo/base";

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
  readonly #test: LabelTest;

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
    this.#test = createLabelTest(key, operator, values, options.validate ?? true);
    this.key = key;
    this.operator = operator;
    this.values = values.toSorted();
  }

  /** Whether labels match the requirement. `!=` and `notin` match labels without the key. */
  matches(labels: Labels | undefined): boolean {
    return this.#test(labelOf(labels, this.key));
  }

  /** Returns the requirement as part of a selector string. */
  toString(): string {
    const { key, operator } = this;
    const values = this.values.join(",");
    switch (operator) {
      case "exists":
        return key;
      case "!":
        return `!${key}`;
      case "in":
      case "notin":
        return `${key} ${operator} (${values})`;
      case "gt":
        return `${key}>${values}`;
      case "lt":
        return `${key}<${values}`;
      case "=":
      case "==":
      case "!=":
        break;
    }
    return `${key}${operator}${values}`;
  }
}
