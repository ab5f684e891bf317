import {
  type Clock,
  inRealTime,
  type JsonObject,
  type Random,
  recordOf,
} from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import type { ApiObject } from "../api/api-object.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import { plainServerError } from "../api/errors.ts";
import type { FoundResource } from "../api/registry.ts";
import type { ConversionWebhook, ResourceDefinition } from "../api/resource-definition.ts";
import { randomUuid } from "../base/random-text.ts";
import { type Steps, waitFor } from "../base/steps.ts";
import type { Presenter } from "../output/presenter.ts";
import type { ResourceViews } from "../output/resource-views.ts";
import { rereadObject } from "../schema/conform-object.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { StoredVersions } from "../storage/stored-versions.ts";
import type { WebhookSettings } from "./webhook-settings.ts";

/** Dependencies of {@link ObjectConversions}. */
export interface ConversionParts {
  readonly storage: Storage;
  readonly views: ResourceViews;
  readonly versions: StoredVersions;
  /** Undefined if webhooks are not called. */
  readonly settings: WebhookSettings | undefined;
  readonly clock: Clock;
  /** Creates the uids of reviews. */
  readonly random: Random;
}

// The timeout of a real server: k8s.io/apiserver pkg/util/webhook/authentication.go.
const timeoutSeconds = 30;

/** Converts custom resources between their versions by the webhooks of their definitions. */
export class ObjectConversions {
  readonly #parts: ConversionParts;

  constructor(parts: ConversionParts) {
    this.#parts = parts;
  }

  /** Returns the converter of a resource in a version; undefined if no webhook converts it. */
  of(found: FoundResource): ObjectConverter | undefined {
    const { conversionWebhook } = found.definition;
    if (conversionWebhook === undefined || this.#parts.settings === undefined) return undefined;
    return new ObjectConverter(found, this, this.#parts);
  }

  /**
   * Converts objects of one version to another one.
   *
   * @throws {ApiError} 500 if the webhook fails
   */
  async convert(
    definition: ResourceDefinition,
    from: string,
    to: string,
    objects: readonly ApiObject[],
  ): Promise<readonly ApiObject[]> {
    const { conversionWebhook: webhook, group, kind } = definition;
    if (webhook === undefined || from === to || objects.length === 0) return objects;
    const apiVersion = apiVersionOf(group, from);
    const typed = objects.map((object): JsonObject => ({ ...object, apiVersion, kind }));
    const converted = await this.#ask(webhook, typed, apiVersionOf(group, to));
    return converted.map(withoutType);
  }

  async #ask(
    { config, reviewVersions }: ConversionWebhook,
    objects: readonly JsonObject[],
    desiredAPIVersion: string,
  ): Promise<readonly JsonObject[]> {
    const { clock, random, settings = {} } = this.#parts;
    const { askConversion } = await inRealTime(import("./ask-conversion.ts"));
    try {
      const request = { uid: randomUuid(random), desiredAPIVersion, objects };
      return await askConversion(
        { config, reviewVersions, timeoutSeconds, settings, clock },
        request,
      );
    } catch (error) {
      throw error instanceof ApiError
        ? error
        : plainServerError(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Converts the objects of one resource between a served version and the stored ones. */
export class ObjectConverter {
  readonly #found: FoundResource;
  readonly #conversions: ObjectConversions;
  readonly #parts: ConversionParts;
  readonly #presenter: Presenter;

  constructor(found: FoundResource, conversions: ObjectConversions, parts: ConversionParts) {
    this.#found = found;
    this.#conversions = conversions;
    this.#parts = parts;
    this.#presenter = parts.views.presenter(found);
  }

  /**
   * Converts stored objects, so that the presenter of the version can show them. Each is converted
   * once; the objects of a list are in one review.
   *
   * @throws {ApiError} 500 if the webhook fails
   */
  async prepare(objects: readonly StoredObject[]): Promise<void> {
    const { definition, served } = this.#found;
    const byVersion = Map.groupBy(
      objects.filter((stored) => !this.#presenter.hasForm(stored)),
      (stored) => this.#parts.versions.of(stored, definition),
    );
    for (const [version, outdated] of byVersion) {
      // The storage knows no resourceVersion yet when it decodes an object.
      const sent = outdated.map(({ object }) => withoutRevision(object));
      const converted = await this.#conversions.convert(definition, version, served.name, sent);
      for (const [index, stored] of outdated.entries()) {
        const form = rereadObject(converted[index] ?? stored.object, served);
        const { resourceVersion } = stored.object.metadata;
        const metadata = { ...form.metadata, resourceVersion };
        this.#presenter.setForm(stored, { ...form, metadata });
      }
    }
  }

  /** Returns a stored object in the served version, with the key and revision of the original. */
  *toServed(stored: StoredObject): Steps<StoredObject> {
    yield* waitFor(this.prepare([stored]));
    const { apiVersion: _apiVersion, kind: _kind, ...object } = this.#presenter.object(stored);
    return this.shown(object, stored.revision);
  }

  /** Returns a state of an object of the served version, which is not stored. */
  shown(object: ApiObject, revision: number): StoredObject {
    const state = this.#parts.storage.createState(object, revision);
    this.#presenter.setForm(state, object);
    return state;
  }

  /** Whether an object is stored in another version than its definition stores now. */
  isOutdated(stored: StoredObject): boolean {
    const { definition } = this.#found;
    return this.#parts.versions.of(stored, definition) !== definition.storageVersion;
  }

  /** Notes that a written object is in the storage version. */
  keepNewest(stored: StoredObject): void {
    this.#parts.versions.renew(stored);
  }

  /** Returns an object of the served version as it is stored. */
  *toStored(object: ApiObject): Steps<ApiObject> {
    const { definition, served } = this.#found;
    const { apiVersion: _apiVersion, kind: _kind, ...bare } = object;
    if (served.name === definition.storageVersion) return bare;
    const converting = this.#conversions.convert(
      definition,
      served.name,
      definition.storageVersion,
      [withoutRevision(bare)],
    );
    const [converted = bare] = yield* waitFor(converting);
    const storage = definition.versions.find(({ name }) => name === definition.storageVersion);
    return storage === undefined ? converted : rereadObject(converted, storage);
  }
}

function withoutType({ apiVersion: _version, kind: _kind, ...object }: JsonObject): ApiObject {
  return { ...object, metadata: recordOf(object["metadata"]) };
}

function withoutRevision(object: ApiObject): ApiObject {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  return { ...object, metadata };
}
