import { createInvalidOptionError } from "./checks.ts";

/**
 * A value of an option `behaviour`: decisions of client-go's that differ from the defaults, all of
 * them under one name. A program passes it on; what it holds may change with each version.
 */
export class Preset<Name extends string = string> {
  readonly name: Name;
  readonly #values: object;

  constructor(name: Name, values: object) {
    this.name = name;
    this.#values = values;
  }

  /**
   * Returns the values behind the option `behaviour`: those of the preset, over the defaults.
   *
   * @throws {InvalidOptionsError} if it is neither `undefined` nor the preset of this name
   */
  static resolve<Values extends object>(
    behaviour: unknown,
    name: string,
    defaults: Values,
  ): Values {
    if (behaviour === undefined) return defaults;
    if (!(behaviour instanceof Preset) || behaviour.name !== name) {
      throw createInvalidOptionError("behaviour", name, behaviour);
    }
    return { ...defaults, ...behaviour.#values };
  }
}
