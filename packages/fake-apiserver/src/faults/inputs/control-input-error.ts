/**
 * An input of the server control cannot be used; the message names the field, what it takes and
 * what came.
 */
export class ControlInputError extends RangeError {
  override readonly name: string = "ControlInputError";
  readonly code = "LW_INVALID_CONTROL" as const;
}

/** @throws {@link ControlInputError} unless the value is as expected */
export function demand(isFine: boolean, field: string, expected: string, value: unknown): void {
  if (isFine) return;
  const got = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  throw new ControlInputError(`Expected ${expected} in ${field}, got ${got}`);
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
