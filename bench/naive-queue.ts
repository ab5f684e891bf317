export interface NaiveDelta<T> {
  readonly type: string;
  readonly object: T;
}

/**
 * The yardstick: a naive delta queue with a map of deltas and an array of keys that is shifted. It
 * behaves like a DeltaFIFO, as carefully as its few lines allow.
 */
export class NaiveQueue<T> {
  readonly #keyFunc: (object: T) => string;
  readonly #deltas = new Map<string, NaiveDelta<T>[]>();
  readonly #keys: string[] = [];

  constructor(keyFunc: (object: T) => string) {
    this.#keyFunc = keyFunc;
  }

  get length(): number {
    return this.#keys.length;
  }

  write(type: string, object: T): void {
    const key = this.#keyFunc(object);
    const deltas = this.#deltas.get(key);
    if (deltas === undefined) {
      this.#deltas.set(key, [{ type, object }]);
      this.#keys.push(key);
    } else {
      deltas.push({ type, object });
    }
  }

  pop(process: (deltas: readonly NaiveDelta<T>[]) => void): void {
    const key = this.#keys.shift();
    if (key === undefined) return;
    const deltas = this.#deltas.get(key) ?? [];
    this.#deltas.delete(key);
    process(deltas);
  }
}
