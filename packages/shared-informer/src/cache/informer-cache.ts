import type { Clock, Deltas, KeyFunction, Cached } from "@listwatch/core-fifo";
import { maxBatchKeys, TimeBudget } from "@listwatch/core-fifo/base";
import {
  KeyedStore,
  type IndexFunctionError,
  type Indexers,
  type IndexValues,
  type StoreReader,
} from "@listwatch/store-indexer";
import type { ChangeReceiver, DeltaTarget } from "./delta-target.ts";
import { processDeltas, processDeltasInBatch, replaceAll } from "./process-deltas.ts";

/** Reading a clock costs as much as an object. */
const objectsPerLook = 32;

/** Parts of an {@link InformerCache}. */
interface InformerCacheParts<T, I extends IndexValues> {
  readonly indexers: Indexers<T, I> | undefined;
  readonly freeze: boolean | undefined;
  readonly keyFunc: KeyFunction<T>;
  readonly clock: Clock;
  readonly ignoreUnknownDeletes: boolean | undefined;
  /** Called with the error of each index function that fails for an object. Must not throw. */
  readonly onIndexError: (error: IndexFunctionError) => void;
}

/** Objects that are absent from an index. */
export interface Unindexed {
  readonly count: number;
  /** Kept errors, oldest first. */
  readonly errors: readonly IndexFunctionError[];
  /** Time of the first failure; of the last one if no error is kept. */
  readonly sinceMs: number;
}

/** The cache of an informer. Only this class writes to its store. */
export class InformerCache<T, I extends IndexValues> {
  /** The store without its writes. */
  readonly store: StoreReader<T, I>;
  readonly #keyed: KeyedStore<T, I>;
  readonly #ignoreUnknownDeletes: boolean | undefined;
  readonly #keyFunc: KeyFunction<T>;
  readonly #clock: Clock;
  readonly #failedMs = new WeakMap<IndexFunctionError, number>();
  #lastFailedMs = 0;

  constructor(parts: InformerCacheParts<T, I>) {
    const { clock, freeze, indexers, keyFunc } = parts;
    const onIndexError = (error: IndexFunctionError): void => {
      this.#lastFailedMs = clock.now();
      this.#failedMs.set(error, this.#lastFailedMs);
      parts.onIndexError(error);
    };
    this.#keyed = new KeyedStore<T, I>({ indexers, freeze, onIndexError });
    this.store = this.#keyed.reader;
    this.#ignoreUnknownDeletes = parts.ignoreUnknownDeletes;
    this.#keyFunc = keyFunc;
    this.#clock = clock;
  }

  /**
   * Applies deltas of a queue and passes each change to the receiver, in one synchronous section.
   * Only a list of more than 1000 objects takes several turns and returns a promise.
   *
   * @param signal ends the turns: the rest of the list is then applied in one go
   * @throws the errors of `processDeltas` and `processDeltasInBatch`
   */
  apply(
    deltas: Deltas<T>,
    isInInitialList: boolean,
    receiver: ChangeReceiver<T>,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const target: DeltaTarget<T> = {
      store: this.#keyed,
      ignoreUnknownDeletes: this.#ignoreUnknownDeletes,
      keyFunc: this.#keyFunc,
      ...receiver,
    };
    const [first] = deltas;
    if (deltas.length > 1) processDeltasInBatch(deltas, isInInitialList, target);
    else if (first?.type === "ReplacedAll" && first.objects.length > maxBatchKeys) {
      return this.#takeTurns(replaceAll(first, isInInitialList, target), signal);
    } else processDeltas(deltas, isInInitialList, target);
    return undefined;
  }

  /**
   * Applies a whole list with turns of the event loop between the objects. Readers see the former
   * content until everything changes at once. Then the changes are delivered, with turns between
   * them. After an abort it continues without turns, because a list that was taken from the queue
   * counts as applied.
   */
  async #takeTurns(steps: ReturnType<typeof replaceAll>, signal: AbortSignal): Promise<void> {
    const budget = new TimeBudget({ clock: this.#clock, itemsPerLook: objectsPerLook });
    // The end of the list was read in this turn.
    await budget.nextTurn();
    for (const step of steps) {
      const isDue = step === "staged" || budget.count();
      if (isDue && !signal.aborted) await budget.nextTurn();
    }
  }

  /** Stored objects that are absent from an index. */
  get unindexed(): Unindexed {
    const errors = this.store.listIndexErrors();
    const [first] = errors;
    const sinceMs = (first && this.#failedMs.get(first)) ?? this.#lastFailedMs;
    return { count: this.store.unindexedCount, errors, sinceMs };
  }

  /** Sets the resourceVersion up to which the cache is complete. */
  bookmark(resourceVersion: string): void {
    this.#keyed.bookmark(resourceVersion);
  }

  /**
   * @throws {ListwatchError} with the code `LW_INDEX_CONFLICT` if a name is taken; none is added
   *   then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): void {
    this.#keyed.addIndexers(indexers);
  }

  /** Iterates over the content of the cache. */
  *entries(): Generator<readonly [key: string, object: Cached<T>], undefined> {
    for (const key of this.store.listKeys()) {
      const object = this.store.getByKey(key);
      if (object !== undefined) yield [key, object];
    }
    return undefined;
  }
}

/**
 * Asserts that an informer has these indexes, so that it can be used under a type with their names.
 *
 * @throws {TypeError} if one is missing
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type that is asserted
export function assertIndexes<Named extends WithStore>(
  informer: WithStore,
  indexers: object,
): asserts informer is Named {
  const known = informer.store.getIndexers();
  for (const name of Object.keys(indexers)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(`Cannot find the index ${name}`);
  }
}

interface WithStore {
  readonly store: { getIndexers(): object };
}
