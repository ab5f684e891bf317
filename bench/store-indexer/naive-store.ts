/** The members that the yardstick reads. */
export interface Namespaced {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

/**
 * The yardstick: a naive indexed store with a map of objects and a map of sets of keys, like
 * client-go's. A write removes the key from the index and adds it again.
 */
export class NaiveStore<T extends Namespaced> {
  readonly #objects = new Map<string, T>();
  readonly #byNamespace = new Map<string, Set<string>>();

  upsert(object: T): T | undefined {
    const key = keyOf(object);
    const previous = this.#objects.get(key);
    if (previous !== undefined) this.#unlink(key, previous);
    this.#objects.set(key, object);
    const keys = this.#byNamespace.get(object.metadata.namespace);
    if (keys === undefined) this.#byNamespace.set(object.metadata.namespace, new Set([key]));
    else keys.add(key);
    return previous;
  }

  delete(object: T): void {
    const key = keyOf(object);
    const previous = this.#objects.get(key);
    if (previous === undefined) return;
    this.#unlink(key, previous);
    this.#objects.delete(key);
  }

  replace(objects: readonly T[]): void {
    this.#objects.clear();
    this.#byNamespace.clear();
    for (const object of objects) this.upsert(object);
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  byNamespace(namespace: string): T[] {
    const objects: T[] = [];
    for (const key of this.#byNamespace.get(namespace) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  #unlink(key: string, previous: T): void {
    const keys = this.#byNamespace.get(previous.metadata.namespace);
    keys?.delete(key);
    if (keys?.size === 0) this.#byNamespace.delete(previous.metadata.namespace);
  }
}

export function keyOf({ metadata: { namespace, name } }: Namespaced): string {
  return `${namespace}/${name}`;
}
