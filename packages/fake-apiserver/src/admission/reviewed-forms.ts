import type { JsonObject } from "@listwatch/core-fifo/base";
import { internalError } from "../api/errors.ts";
import { type FoundResource, type ResourceRegistry, storageName } from "../api/registry.ts";
import type { ApiObject } from "../api/api-object.ts";
import { conform } from "../input/decode-object.ts";
import type { Strategies } from "../kinds/strategy.ts";
import type { ObjectConversions } from "../webhooks/object-conversions.ts";
import type { ReviewedForm } from "../webhooks/reviewed-write.ts";
import { type AdmissionView, ownView } from "./admission-view.ts";

/** Dependencies of {@link ReviewedForms}. */
export interface FormParts {
  readonly registry: ResourceRegistry;
  readonly strategies: Strategies;
  readonly conversions: ObjectConversions;
}

/** Creates the forms in which webhooks see the objects of resources. */
export class ReviewedForms {
  readonly #parts: FormParts;

  constructor(parts: FormParts) {
    this.#parts = parts;
  }

  /** The form of a resource in a version. @param view presents the objects as another kind */
  of(found: FoundResource, view?: AdmissionView): ReviewedForm {
    const { definition, served } = found;
    const { group, kind, show, take, version } = view ?? ownView(found);
    const resource = { group: definition.group, version: served.name, resource: definition.plural };
    const taking = view === undefined ? this.#taker(found) : take;
    return { resource, kind: { group, version, kind }, show, take: taking };
  }

  /** The forms of a resource in its other versions, and in other groups that have its objects. */
  equivalentsOf(found: FoundResource, view?: AdmissionView): readonly ReviewedForm[] {
    const { definition, served } = found;
    const storage = storageName(definition);
    return this.#parts.registry
      .definitions()
      .filter((other) => storageName(other) === storage)
      .flatMap((other) =>
        other.versions
          .filter((version) => other !== definition || version !== served)
          .map((version) => {
            const form = this.of({ definition: other, served: version }, view);
            return view === undefined ? this.#converting(form, found) : form;
          }),
      );
  }

  /** A form in another version than the objects of a write, for which a webhook converts them. */
  #converting(form: ReviewedForm, { definition, served }: FoundResource): ReviewedForm {
    const { take } = form;
    if (definition.conversionWebhook === undefined) return form;
    const { conversions } = this.#parts;
    const convert = async (object: ApiObject, from: string, to: string): Promise<ApiObject> => {
      const [converted = object] = await conversions.convert(definition, from, to, [object]);
      return converted;
    };
    const { version } = form.resource;
    return {
      ...form,
      show: async (object) => form.show(await convert(object, served.name, version)),
      take: take && (async (changed) => convert(await take(changed), version, served.name)),
    };
  }

  #taker({ definition, served }: FoundResource): (changed: JsonObject) => Promise<ApiObject> {
    const strategy = this.#parts.strategies.of(definition);
    return async (changed) => {
      const decoder = await strategy.decoder?.(served);
      const target = { definition, served, strategy };
      return conform(target, changed, served, internalError, { decoder }).object;
    };
  }
}
