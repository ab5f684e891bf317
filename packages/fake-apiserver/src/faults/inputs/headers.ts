import { ControlInputError } from "../../control/control-errors.ts";

/** @throws {@link ControlInputError} for names or values that no header can have */
export function checkHeaders(headers: Readonly<Record<string, string>>, field: string): void {
  const checked = new Headers();
  try {
    for (const [name, value] of Object.entries(headers)) checked.set(name, value);
  } catch (error) {
    const got = JSON.stringify(headers);
    const message = `Expected names and values of headers in ${field}, got ${got}`;
    throw new ControlInputError(message, { cause: error });
  }
}
