import type { ApiObject } from "../api/api-object.ts";
import { flag, text } from "../base/read-fields.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** A written object, and its state before the write. */
export interface Change {
  readonly stored: StoredObject;
  readonly previous: StoredObject | undefined;
  readonly isDeleted: boolean;
}

/** Returns the keys of the objects that a change may concern. */
export type KeysOf = (change: Change) => Iterable<string>;

/**
 * A simulated controller. It is level-driven: `reconcile` reads the current state from storage, so
 * that calling it once more, or once for several changes, is always correct.
 */
export interface Controller {
  /** Changes that it reacts to, by the names of their storages, such as `deployments.apps`. */
  readonly watches: Readonly<Record<string, KeysOf>>;
  /** Returns the keys that a change of any other object concerns. */
  readonly others?: KeysOf;
  /**
   * Brings the object at a key closer to its spec.
   *
   * @returns milliseconds after which to call it again without a change; nothing if it need not
   */
  // eslint-disable-next-line typescript/no-invalid-void-type
  reconcile(key: string): Promise<number | void>;
}

/** Returns the key of the changed object. */
export const ownKey: KeysOf = ({ stored }) => [stored.key];

/** Returns the keys of the controllers of a changed object, before and after the change. */
export function controllerKeys(kind: string): KeysOf {
  return ({ previous, stored }) => {
    const names = new Set<string>();
    for (const version of [stored, previous]) {
      const owner = version && controllerOf(version.object);
      if (owner?.kind === kind) names.add(`${stored.namespace}/${owner.name}`);
    }
    return names;
  };
}

/** Returns the reference of an object to its controller. */
export function controllerOf({ metadata }: ApiObject): ControllerReference | undefined {
  const found = metadata.ownerReferences?.find((reference) => flag(reference, "controller"));
  if (found === undefined) return undefined;
  return { kind: text(found, "kind"), name: text(found, "name"), uid: text(found, "uid") };
}

/** An owner reference with `controller: true`. */
export interface ControllerReference {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}
