import { isJsonEqual } from "@listwatch/core-fifo/base";
import { type EventFormat, ObjectWatchEncoder, type WatchEncoder } from "./watch-encoder.ts";
import { storageVersionOf, type FoundResource } from "../api/registry.ts";
import { rereadObject } from "../schema/conform-object.ts";
import { Presenter } from "./presenter.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { Versions } from "../storage/versions.ts";

/** Presenters and encoders of the served versions of each resource, created once per definition. */
export class ResourceViews {
  readonly #versions: Versions;
  readonly #presenters = new WeakMap<ServedVersion, Presenter>();
  readonly #encoders = new WeakMap<Presenter, Map<EventFormat, WatchEncoder>>();

  constructor(versions: Versions) {
    this.#versions = versions;
  }

  presenter({ definition, served }: FoundResource): Presenter {
    const known = this.#presenters.get(served);
    if (known?.definition === definition) return known;
    const presenter = new Presenter(
      definition,
      served,
      this.#versions,
      conversionTo(definition, served),
    );
    this.#presenters.set(served, presenter);
    return presenter;
  }

  /** The writer of plain watches, shared so that an event is written once for all of them. */
  watchEncoder(presenter: Presenter, format: EventFormat): WatchEncoder {
    const encoders = this.#encoders.get(presenter) ?? new Map<EventFormat, WatchEncoder>();
    this.#encoders.set(presenter, encoders);
    const encoder = encoders.get(format) ?? new ObjectWatchEncoder(presenter, format);
    encoders.set(format, encoder);
    return encoder;
  }
}

// Conversion "None" changes only the apiVersion; then the schema of the version prunes and
// defaults.
function conversionTo(
  definition: ResourceDefinition,
  served: ServedVersion,
): ((object: ApiObject) => ApiObject) | undefined {
  // Objects are converted before they are shown; see ObjectConverter.
  if (definition.conversionWebhook !== undefined) return (object) => rereadObject(object, served);
  const conversion = served.conversion ?? definition.storedAs;
  if (conversion !== undefined) return conversion.fromStored;
  if (!definition.custom || served.name === definition.storageVersion) return undefined;
  const stored = storageVersionOf(definition);
  if (isJsonEqual(stored?.schema, served.schema)) return undefined;
  return (object) => rereadObject(object, served);
}
