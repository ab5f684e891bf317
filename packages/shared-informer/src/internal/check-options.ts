import { describeValue, InvalidOptionsError } from "@listwatch/core-fifo";

/**
 * Checks that an option is a number of at least `least`, if it is given.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkAtLeast(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  throw new InvalidOptionsError(
    `Couldn't use the option ${name}: expected a number of ${least} or more, got ${describeValue(value)}`,
  );
}

/**
 * Checks that an option is one of several words, if it is given.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkOneOf(name: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.some((word) => word === value)) return;
  throw new InvalidOptionsError(
    `Couldn't use the option ${name}: expected one of ${words.join(", ")}, got ${describeValue(value)}`,
  );
}
