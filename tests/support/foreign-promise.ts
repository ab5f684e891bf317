/** A promise that is not an instance of the global class, such as one of zone.js. */
export interface ForeignPromise {
  readonly promise: unknown;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** @param isFunction whether the promise is a function with a `then`, as in some libraries */
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
