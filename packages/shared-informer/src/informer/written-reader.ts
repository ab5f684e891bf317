import { deletionHandlingMetaNamespaceKey, type Cached } from "@listwatch/core-fifo";
import { computeKey } from "@listwatch/core-fifo/base";
import { IndexerReader, type IndexValues, type StoreReader } from "@listwatch/store-indexer";
import type { InformerWrites } from "./informer-writes.ts";

/**
 * The cache of an informer for its readers. Reads by key also show the noted writes of this
 * program; lists and indexes show the cache.
 */
export class WrittenReader<T, I extends IndexValues> extends IndexerReader<T, I> {
  readonly #writes: InformerWrites<T> | undefined;

  constructor(reader: StoreReader<T, I>, writes: InformerWrites<T> | undefined) {
    super(reader, (object) => computeKey(deletionHandlingMetaNamespaceKey, object));
    this.#writes = writes;
  }

  override getByKey(key: string): Cached<T> | undefined {
    const cached = super.getByKey(key);
    const writes = this.#writes;
    return writes === undefined || writes.isEmpty ? cached : writes.read(key, cached);
  }

  override has(key: string): boolean {
    return this.#writes?.isEmpty === false ? this.getByKey(key) !== undefined : super.has(key);
  }
}
