import { DeletedFinalStateUnknown, type Deltas, type KnownObjects } from "@listwatch/core-fifo";
import { plainKey } from "./keys.ts";
import { isRecord, listIfAny } from "./values.ts";

/**
 * The store behind a queue, as described by a case: it has initial objects, keys whose look-up
 * fails, and keys without an object.
 */
export class RecordedKnownObjects implements KnownObjects<unknown> {
  readonly #objects = new Map<string, unknown>();
  readonly #failKeys: ReadonlySet<unknown>;
  readonly #ghostKeys: ReadonlySet<unknown>;
  readonly #isPopper: boolean;

  constructor(options: Readonly<Record<string, unknown>>) {
    for (const object of listIfAny(options, "objects")) this.#objects.set(plainKey(object), object);
    this.#failKeys = new Set(listIfAny(options, "failKeys"));
    this.#ghostKeys = new Set(listIfAny(options, "ghostKeys"));
    this.#isPopper = options["mode"] === "popper";
  }

  /** Creates the store of a case, if it has one. */
  static of(options: Readonly<Record<string, unknown>>): RecordedKnownObjects | undefined {
    const { knownObjects } = options;
    return isRecord(knownObjects) ? new RecordedKnownObjects(knownObjects) : undefined;
  }

  listKeys(): string[] {
    const keys = new Set([...this.#objects.keys(), ...this.#failKeys, ...this.#ghostKeys]);
    return Array.from(keys, String).toSorted();
  }

  getByKey(key: string): unknown {
    if (this.#failKeys.has(key)) throw new Error("told to fail");
    return this.#ghostKeys.has(key) ? undefined : this.#objects.get(key);
  }

  /** Applies popped deltas, in the mode `popper`. */
  apply(deltas: Deltas<unknown>): void {
    if (!this.#isPopper) return;
    for (const delta of deltas) {
      if (!("object" in delta)) continue;
      const { object } = delta;
      const key = object instanceof DeletedFinalStateUnknown ? object.key : keyIfAny(object);
      if (key === undefined) continue;
      if (delta.type === "Deleted") this.#objects.delete(key);
      else this.#objects.set(key, object);
    }
  }
}

function keyIfAny(object: unknown): string | undefined {
  try {
    return plainKey(object);
  } catch {
    return undefined;
  }
}
