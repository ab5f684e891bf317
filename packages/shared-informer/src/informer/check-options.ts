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

/**
 * Checks that there is something to list and watch with. Takes anything, for programs without
 * types.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkListerWatcher(value: unknown): void {
  if (hasFunction(value, "list") && hasFunction(value, "watch")) return;
  throw new InvalidOptionsError(
    `Couldn't use the option listerWatcher: expected an object with the functions list and watch, got ${describeValue(value)}`,
  );
}

/**
 * Checks that a handler is an object: a function would never be called. Takes anything, for
 * programs without types.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function checkHandler(value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw new InvalidOptionsError(
    `Couldn't add an event handler: expected an object with onAdd, onUpdate or onDelete, got ${describeValue(value)}`,
  );
}

function hasFunction(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return typeof Reflect.get(value, name) === "function";
}
