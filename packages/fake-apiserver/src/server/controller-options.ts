import { createInvalidOptionError, nearestName } from "@listwatch/core-fifo/base";
import { type ControllerName, controllerNames } from "../controllers/controller-name.ts";

/** Reads the option `controllers`. @throws {InvalidOptionsError} */
export function readControllers(value: unknown): readonly ControllerName[] {
  if (value === undefined || value === false) return [];
  if (value === true) return controllerNames;
  const names: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  if (names === undefined) {
    const expected = "true, or an array of names such as deployments";
    throw createInvalidOptionError("controllers", expected, value);
  }
  return names.map((name, index) => {
    const found = controllerNames.find((known) => known === name);
    if (found !== undefined) return found;
    const nearest = typeof name === "string" ? nearestName(name, controllerNames) : undefined;
    const expected =
      nearest === undefined
        ? `one of ${controllerNames.join(", ")}`
        : `a known name, did you mean ${nearest}?`;
    throw createInvalidOptionError(`controllers[${index}]`, expected, name);
  });
}
