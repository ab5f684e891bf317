import { metaNamespaceKey } from "@listwatch/core-fifo";
import { describeObjectName, metadataOf } from "@listwatch/core-fifo/base";
import type { InformerProblem, ProblemReason } from "./informer-status.ts";

/** An object that a user's function failed for. */
export interface UnusableObject {
  /** The same for all states of the object; see {@link identityOf}. */
  readonly id: string;
  /** The key, for the reader. */
  readonly key: string;
  readonly error: unknown;
}

interface Known extends UnusableObject {
  readonly sinceMs: number;
}

/** Keys in a problem: enough to see what they have in common. */
const maxKeys = 10;

/** Objects whose errors are kept: an error holds its object, and may come for every one. */
const maxErrors = 1000;

/**
 * The objects that an informer knows of and cannot show as they are, because a function of the
 * program's failed for them: each with its first error, until its present state can be used. Of
 * objects beyond the first 1000 only the identities are kept.
 */
export class UnusableObjects {
  readonly #reason: ProblemReason;
  #known = new Map<string, Known>();
  /** The identities of those beyond. */
  #others = new Set<string>();
  /** When an object was noted last. */
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

  /** Notes an object; returns whether its error is a new one that is kept. */
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

  /** Whether an object is known by this identity. */
  has(id: string): boolean {
    return this.#known.has(id) || this.#others.has(id);
  }

  /** Notes that an object is gone, or that its present state can be used. */
  forget(id: string): void {
    this.#known.delete(id);
    this.#others.delete(id);
  }

  /** Forgets all objects but these. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of [...this.#known.keys(), ...this.#others]) if (!ids.has(id)) this.forget(id);
  }

  /** Notes all objects of a list at once; returns those whose errors are new and kept. */
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

  /** What they keep the informer from, named by the first of them. */
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

/** What stays the same over the states of an object: its uid, or its name. */
export function identityOf(object: unknown): string {
  const { name = "", namespace = "", uid = "" } = metadataOf(object) ?? {};
  return uid === "" ? `${namespace}/${name}` : uid;
}

/** What an object is called in a problem: its usual key, or a description of what has none. */
export function nameOf(object: unknown): string {
  try {
    return metaNamespaceKey(object);
  } catch {
    return describeObjectName(object);
  }
}
