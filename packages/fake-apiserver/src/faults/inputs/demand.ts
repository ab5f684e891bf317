import { ControlInputError } from "../../control/control-errors.ts";

/** @throws {@link ControlInputError} unless the value is as expected */
export function demand(isFine: boolean, field: string, expected: string, value: unknown): void {
  if (!isFine) throw wrongInput(field, expected, value);
}

/** The error for a value in a field; of a whole input without a field. */
export function wrongInput(field: string, expected: string, value: unknown): ControlInputError {
  const place = field === "" ? "" : ` in ${field}`;
  return new ControlInputError(`Expected ${expected}${place}, got ${describeInput(value)}`);
}

function describeInput(value: unknown): string {
  if (value === undefined) return "nothing";
  // Some numbers have no JSON.
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return JSON.stringify(value) ?? `a ${typeof value}`;
}

/** @throws {@link ControlInputError} unless the value is a safe integer of at least so much */
export function demandInteger(value: number, least: number, field: string): void {
  demand(Number.isSafeInteger(value) && value >= least, field, `an integer from ${least}`, value);
}

/**
 * @throws {@link ControlInputError} unless the value is a number of milliseconds that can be waited
 *   for
 */
export function demandMilliseconds(value: number, field: string): void {
  demand(Number.isFinite(value) && value >= 0, field, "milliseconds from 0", value);
}
