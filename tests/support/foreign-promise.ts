/** A promise that is no instance of the global class, as those of zone.js and other realms. */
export interface ForeignPromise {
  readonly promise: unknown;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** @param isFunction whether it is a function with a `then`, as some libraries have it */
export function foreignPromise(isFunction = false): ForeignPromise {
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  const carrier = isFunction ? () => {} : {};
  return {
    promise: Object.assign(carrier, {
      then: (onDone?: () => unknown, onFailure?: (reason: unknown) => unknown) =>
        promise.then(onDone, onFailure),
    }),
    resolve,
    reject,
  };
}
