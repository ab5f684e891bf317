import { ShardSelector, type CompletedWrite } from "@listwatch/client";
import { FieldTree } from "@listwatch/client/base";
import type { KeyFunction, Transform } from "@listwatch/core-fifo";
import { applyTransform, asCached, computeKey, recordOf } from "@listwatch/core-fifo/base";
import type { SourceCollection } from "@listwatch/reflector";
import { Lister } from "@listwatch/store-indexer";
import { applyFilter } from "../delivery/resource-event-handler.ts";
import type { AdmittedWrite, WriteEffect, WrittenName } from "../informer/admitted-write.ts";

/** User-supplied functions of a cache. */
interface WriteGateParts<T> {
  readonly collection: SourceCollection;
  readonly keep: ((object: T) => boolean) | undefined;
  readonly keyFunc: KeyFunction<T>;
  readonly transform: Transform<T> | undefined;
}

/** Finds out what a cache will contain of an object that this program has written. */
export class WriteGate<T> {
  readonly #parts: WriteGateParts<T>;
  readonly #tree: FieldTree | undefined;
  readonly #shard: ShardSelector | undefined;

  /** @throws {InvalidSelectorError} if a selector cannot be parsed */
  constructor(parts: WriteGateParts<T>) {
    const { fields, shardSelector = "" } = parts.collection;
    this.#parts = parts;
    this.#select([]);
    this.#tree = fields && new FieldTree(fields);
    this.#shard = shardSelector === "" ? undefined : ShardSelector.parse(shardSelector);
  }

  /** `undefined` if the cache holds no such objects. */
  admit({ resource }: CompletedWrite, effect: WriteEffect): AdmittedWrite<T> | undefined {
    const { collection } = this.#parts;
    const own = collection.resource;
    if (resource.group !== own.group || resource.resource !== own.resource) return undefined;
    const { name } = effect;
    if (collection.namespace !== undefined && collection.namespace !== "") {
      if (collection.namespace !== name.namespace) return undefined;
    }
    const { uid } = effect;
    const metadata = { uid, namespace: name.namespace };
    if (this.#shard?.matches({ metadata }) === false) return undefined;
    const content = effect.type === "gone" ? "none" : undefined;
    // An answer in another version of the API has other members.
    if (effect.object === undefined || resource.version !== own.version) {
      return this.#withoutContent(name, content ?? "unknown");
    }
    try {
      const admitted = this.#admitObject(effect.object);
      return content === undefined ? admitted : { ...admitted, content };
    } catch {
      // The informer reports the failure of a user-supplied function when it reads the object.
      return this.#withoutContent(name, content ?? "unknown");
    }
  }

  #admitObject(answer: object): AdmittedWrite<T> {
    const { keep, keyFunc, transform } = this.#parts;
    // The caller owns the answer and may change it.
    const copy = structuredClone(answer);
    const isSelected = this.#select([copy]).length > 0;
    // The answer is an object of the collection.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const read = this.#reduce(copy) as T;
    const isKept = isSelected && (keep === undefined || applyFilter(keep, read));
    if (!isKept) return { key: computeKey(keyFunc, read), content: "none", isHeld: false };
    const object = transform === undefined ? read : applyTransform(transform, read);
    return { key: computeKey(keyFunc, object), content: asCached<T>(object), isHeld: true };
  }

  /**
   * Returns those of the objects that both selectors match. A lister reads them, which each
   * informer has, so that programs do not load the classes of selectors for it.
   */
  #select(objects: object[]): object[] {
    const { fieldSelector, labelSelector, resource } = this.#parts.collection;
    const written = {
      list: () => objects.map(asCached),
      getByKey: () => undefined,
      listNamespace: () => undefined,
    };
    return new Lister<object>(written, resource).list({ fieldSelector, labelSelector });
  }

  #reduce(object: object): object {
    const { metadataOnly = false } = this.#parts.collection;
    const { metadata } = recordOf(object);
    const part = metadataOnly
      ? { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata }
      : object;
    return this.#tree === undefined ? part : this.#tree.pick(part);
  }

  #withoutContent(
    { name, namespace }: WrittenName,
    content: "none" | "unknown",
  ): AdmittedWrite<T> | undefined {
    const metadata = namespace === "" ? { name } : { name, namespace };
    try {
      // A key function of the usual kind reads nothing else.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const key = computeKey(this.#parts.keyFunc, { metadata } as T);
      return { key, content, isHeld: true };
    } catch {
      return undefined;
    }
  }
}
