import { Preset } from "@listwatch/core-fifo/base";

/** Decisions of stores and caches that a preset can change. */
export interface StoreBehaviour {
  /** Whether an indexer finds and deletes by the key that a tombstone carries. */
  readonly acceptTombstones: boolean;
  /**
   * Whether `lastStoreSyncResourceVersion` follows the writes. Otherwise it is always `""`, as in
   * client-go without the feature gate AtomicFIFO.
   */
  readonly trackResourceVersion: boolean;
  /** Whether `getByKey` of a mutation cache forgets an object that the store does not have. */
  readonly forgetAddsOnRead: boolean;
}

const defaultBehaviour: StoreBehaviour = {
  acceptTombstones: true,
  forgetAddsOnRead: false,
  trackResourceVersion: true,
};

/** The values behind the preset `clientGoStoreBehaviour`. */
export const clientGoValues: StoreBehaviour = {
  acceptTombstones: false,
  forgetAddsOnRead: true,
  trackResourceVersion: true,
};

/** @throws {InvalidOptionsError} if it is not the preset of stores */
export function resolveBehaviour(behaviour: unknown): StoreBehaviour {
  return Preset.resolve(behaviour, "clientGoStoreBehaviour", defaultBehaviour);
}
