import { ListwatchError } from "@listwatch/core-fifo";

/** Creates the error for an action that needs a running informer. */
export function createInformerStoppedError(action: string): ListwatchError {
  const message = `Cannot ${action}: the informer has stopped`;
  return new ListwatchError("LW_INFORMER_STOPPED", message);
}

/** Creates the error for an action that is only possible before `run`. */
export function createInformerStartedError(action: string): ListwatchError {
  const message = `Cannot ${action}: the informer has already started`;
  return new ListwatchError("LW_INFORMER_STARTED", message);
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
