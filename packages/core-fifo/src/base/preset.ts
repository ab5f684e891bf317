import { createInvalidOptionError } from "./errors.ts";

/**
 * A value of the option `behaviour`: client-go's behaviour where it differs from the defaults.
 * Programs pass it on as it is, because its content may change with each version.
 */
export class Preset<Name extends string = string> {
  /** Name of the preset, such as `clientGoBehaviour`. Each option accepts only its own preset. */
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
