import { InvalidOptionsError } from "./errors.ts";
import { describeValue } from "./values.ts";

/**
 * Creates the error for an option whose value cannot be used. Of an object it names the members
 * only: options hold credentials.
 */
export function createInvalidOptionError(
  option: string,
  expected: string,
  value: unknown,
): InvalidOptionsError {
  return new InvalidOptionsError(
    `Cannot use the option ${option}: expected ${expected}, got ${describeOption(value)}`,
    option,
  );
}

function describeOption(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== "object" || value === null) return describeValue(value);
  const members = Object.keys(value).slice(0, maxMembers).join(", ");
  return members === "" ? "{}" : `an object with ${members}`;
}

const maxMembers = 10;

/**
 * Checks that an option is a number of at least `least`, if it is given. Infinity is such a number.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkAtLeast(option: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  throw createInvalidOptionError(option, `a number of ${least} or more`, value);
}

/**
 * Checks that an option is an integer of at least `least`, if it is given.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkIntegerAtLeast(option: string, value: unknown, least: number): void {
  if (value === undefined) return;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return;
  throw createInvalidOptionError(option, `an integer of ${least} or more`, value);
}

/**
 * Checks that an option is one of several words, if it is given.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkOneOf(option: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.some((word) => word === value)) return;
  throw createInvalidOptionError(option, `one of ${words.join(", ")}`, value);
}

/**
 * Checks that an option is a function, if it is given.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkFunction(option: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  throw createInvalidOptionError(option, "a function", value);
}

/**
 * Checks that an argument is an object with certain functions. Takes anything, for programs without
 * types.
 *
 * @throws {InvalidOptionsError} otherwise, also when it is missing
 */
export function checkFunctions(option: string, value: unknown, names: readonly string[]): void {
  if (typeof value === "object" && value !== null) {
    if (names.every((name) => typeof Reflect.get(value, name) === "function")) return;
  }
  const listed = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  throw createInvalidOptionError(option, `an object with the functions ${listed}`, value);
}

/**
 * Checks that an argument is an object. Takes anything, for programs without types.
 *
 * @throws {InvalidOptionsError} otherwise, also when it is missing
 */
export function checkObject(option: string, value: unknown, expected = "an object"): void {
  if (typeof value === "object" && value !== null) return;
  throw createInvalidOptionError(option, expected, value);
}
