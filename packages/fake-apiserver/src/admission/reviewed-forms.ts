import type { JsonObject } from "@listwatch/core-fifo/base";
import { internalError } from "../api/errors.ts";
import { type FoundResource, type ResourceRegistry, storageName } from "../api/registry.ts";
import type { ApiObject } from "../api/api-object.ts";
import { conform } from "../input/decode-object.ts";
import type { Strategies } from "../kinds/strategy.ts";
import type { ReviewedForm } from "../webhooks/reviewed-write.ts";
import { type AdmissionView, ownView } from "./admission-view.ts";

/** Creates the forms in which webhooks see the objects of resources. */
export class ReviewedForms {
  readonly #registry: ResourceRegistry;
  readonly #strategies: Strategies;

  constructor(registry: ResourceRegistry, strategies: Strategies) {
    this.#registry = registry;
    this.#strategies = strategies;
  }

  /** The form of a resource in a version. @param view presents the objects as another kind */
  of(found: FoundResource, view?: AdmissionView): ReviewedForm {
    const { definition, served } = found;
    const { group, kind, show, version } = view ?? ownView(found);
    const resource = { group: definition.group, version: served.name, resource: definition.plural };
    const take = view === undefined ? { take: this.#taker(found) } : {};
    return { resource, kind: { group, version, kind }, show, ...take };
  }

  /** The forms of a resource in its other versions, and in other groups that have its objects. */
  equivalentsOf(found: FoundResource, view?: AdmissionView): readonly ReviewedForm[] {
    const { definition, served } = found;
    const storage = storageName(definition);
    return this.#registry
      .definitions()
      .filter((other) => storageName(other) === storage)
      .flatMap((other) =>
        other.versions
          .filter((version) => other !== definition || version !== served)
          .map((version) => this.of({ definition: other, served: version }, view)),
      );
  }

  #taker({ definition, served }: FoundResource): (changed: JsonObject) => Promise<ApiObject> {
    const strategy = this.#strategies.of(definition);
    return async (changed) => {
      const decoder = await strategy.decoder?.(served);
      const target = { definition, served, strategy };
      return conform(target, changed, served, internalError, { decoder }).object;
    };
  }
}
