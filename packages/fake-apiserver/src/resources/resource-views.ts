import { JsonWatchEncoder, type WatchEncoder } from "../http/watch-encoder.ts";
import { Presenter } from "./presenter.ts";
import type { FoundResource } from "./registry.ts";
import type { ServedVersion } from "./resource-definition.ts";

/** What shows the objects of each served version of each resource: made once per definition. */
export class ResourceViews {
  readonly #presenters = new WeakMap<ServedVersion, Presenter>();
  readonly #encoders = new WeakMap<Presenter, WatchEncoder>();

  presenter({ definition, served }: FoundResource): Presenter {
    const known = this.#presenters.get(served);
    if (known?.definition === definition) return known;
    const presenter = new Presenter(definition, served);
    this.#presenters.set(served, presenter);
    return presenter;
  }

  /** The writer of plain watches, shared so that a line is made once for all of them. */
  watchEncoder(presenter: Presenter): WatchEncoder {
    const known = this.#encoders.get(presenter);
    if (known !== undefined) return known;
    const encoder = new JsonWatchEncoder(presenter);
    this.#encoders.set(presenter, encoder);
    return encoder;
  }
}
