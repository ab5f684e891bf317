import type { StoredObject } from "./stored-object.ts";

/**
 * Versions in which custom resources are stored, where it is not the storage version of their
 * definition: objects keep the version of their last write when the storage version changes.
 */
export class StoredVersions {
  readonly #versions = new WeakMap<StoredObject, string>();

  /** The version of an object. */
  of(stored: StoredObject, { storageVersion }: { readonly storageVersion: string }): string {
    return this.#versions.get(stored) ?? storageVersion;
  }

  /** Keeps the version of an object that its definition no longer stores. */
  keep(stored: StoredObject, version: string): void {
    this.#versions.set(stored, version);
  }

  /** Notes that an object is in the storage version. */
  renew(stored: StoredObject): void {
    this.#versions.delete(stored);
  }

  /** Gives a state of an object the version of an earlier state, whose content it has. */
  inherit(stored: StoredObject, previous: StoredObject | undefined): void {
    const version = previous && this.#versions.get(previous);
    if (version !== undefined) this.#versions.set(stored, version);
  }
}
