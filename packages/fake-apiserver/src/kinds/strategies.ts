import { groupResource } from "../api/registry.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ResourceStrategy } from "./strategy.ts";

const nothingSpecial: ResourceStrategy = {};

/** The strategies of a server's resources. */
export class Strategies {
  readonly #builtin = new Map<string, ResourceStrategy>();
  readonly #custom: ResourceStrategy;

  /** @param custom the strategy of all custom resources */
  constructor(custom: ResourceStrategy) {
    this.#custom = custom;
  }

  /** Sets the strategy of a built-in resource. */
  set(resource: string, strategy: ResourceStrategy): void {
    this.#builtin.set(resource, strategy);
  }

  of(definition: ResourceDefinition): ResourceStrategy {
    if (definition.custom) return this.#custom;
    return this.#builtin.get(groupResource(definition)) ?? nothingSpecial;
  }
}
