import { metaNamespaceKey } from "@listwatch/core-fifo";
import { describeObjectName, metadataOf } from "@listwatch/core-fifo/base";
import type { InformerProblem, ProblemReason } from "../informer/informer-status.ts";

/** An object for which a user-supplied function failed. */
export interface UnusableObject {
  /** Identity over all states of the object; see {@link identityOf}. */
  readonly id: string;
  /** The key, for messages. */
  readonly key: string;
  readonly error: unknown;
}

interface Known extends UnusableObject {
  readonly sinceMs: number;
}

/** Enough keys to see a common pattern. */
const maxKeys = 10;

/** Limit for kept errors. An error refers to its object, and every object may have one. */
const maxErrors = 1000;

/**
 * Objects whose current state an informer cannot use, because a user-supplied function failed for
 * them, each with its first error. Beyond 1000 objects only the identities are kept.
 */
export class UnusableObjects {
  readonly #reason: ProblemReason;
  #known = new Map<string, Known>();
  /** Identities of the objects beyond the limit. */
  #others = new Set<string>();
  /** Time of the newest record. */
  #lastMs = 0;

  constructor(reason: ProblemReason) {
    this.#reason = reason;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  get #size(): number {
    return this.#known.size + this.#others.size;
  }

  /** Records an object. Returns whether its error is new and kept. */
  note(object: UnusableObject, nowMs: number): boolean {
    const { id } = object;
    if (this.#known.has(id)) return false;
    this.#lastMs = nowMs;
    if (this.#known.size >= maxErrors) {
      this.#others.add(id);
      return false;
    }
    this.#others.delete(id);
    this.#known.set(id, { ...object, sinceMs: nowMs });
    return true;
  }

  /** Whether there is an object with this identity. */
  has(id: string): boolean {
    return this.#known.has(id) || this.#others.has(id);
  }

  /** Removes an object that is deleted, or whose current state can be used. */
  forget(id: string): void {
    this.#known.delete(id);
    this.#others.delete(id);
  }

  /** Removes all objects except these. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of [...this.#known.keys(), ...this.#others]) if (!ids.has(id)) this.forget(id);
  }

  /** Records all objects of a list. Returns those with new, kept errors. */
  replace(objects: readonly UnusableObject[], nowMs: number): readonly UnusableObject[] {
    const former = this.#known;
    this.#known = new Map();
    this.#others = new Set();
    return objects.filter((object) => {
      const known = former.get(object.id);
      const isNew = this.note(known ?? object, known?.sinceMs ?? nowMs);
      return isNew && known === undefined;
    });
  }

  /** The problem that they cause, named after the first of them. */
  get problem(): InformerProblem | undefined {
    if (this.isEmpty) return undefined;
    const [first] = this.#known.values();
    return {
      reason: this.#reason,
      error: first === undefined ? new Error(`Cannot use ${this.#size} objects`) : first.error,
      attempts: this.#size,
      sinceMs: first?.sinceMs ?? this.#lastMs,
      retryMs: undefined,
      keys: [...this.#known.values()].slice(0, maxKeys).map(({ key }) => key),
    };
  }
}

/** Returns the uid or, without one, the name: the part that is equal in all states of an object. */
export function identityOf(object: unknown): string {
  const { name = "", namespace = "", uid = "" } = metadataOf(object) ?? {};
  return uid === "" ? `${namespace}/${name}` : uid;
}

/** Describes an object that a function failed for, by its usual key or, without a name, in words. */
export function describe(object: unknown, error: unknown): UnusableObject {
  const key = hasName(object) ? metaNamespaceKey(object) : describeObjectName(object);
  return { id: identityOf(object), key, error };
}

/** Whether an object has a usual key. */
export function hasName(object: unknown): boolean {
  try {
    return metaNamespaceKey(object) !== "";
  } catch {
    return false;
  }
}
