import { describeValue, InvalidOptionsError } from "@listwatch/core-fifo";

/** The value, if it is a number of at least `minimum`. */
export function atLeast(option: string, value: number, minimum: number): number {
  if (value >= minimum) return value;
  throw new InvalidOptionsError(
    `Couldn't use the option ${option}: expected a number of ${minimum} or more, got ${describeValue(value)}`,
  );
}
