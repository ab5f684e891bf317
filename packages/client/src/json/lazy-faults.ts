import type { LazyTextError } from "../errors/decode-errors.ts";
import type { ObjectIdentity } from "./decoder.ts";
import { LazyAccessors, type LazyReads } from "./lazy-object.ts";
import { identityOf } from "./object-reader.ts";
import { ReadHabits } from "./read-habits.ts";

/** Maximum number of remembered object states. The oldest are forgotten. */
const maxStates = 1000;

/**
 * Members of one collection that were not JSON when they were read. The first failure of each
 * object state ends the watch, so that a list delivers the object again. That list does not reuse
 * the held object.
 */
export class LazyFaults implements LazyReads {
  readonly accessors: LazyAccessors = new LazyAccessors();
  readonly habits: ReadHabits = new ReadHabits();
  readonly #states = new Set<string>();
  #pending: LazyTextError | undefined;

  parse(text: string): unknown {
    return JSON.parse(text);
  }

  expectedIn(): string {
    return "JSON";
  }

  failed(error: LazyTextError, metadata: object): void {
    const identity = identityOf({ metadata });
    const state = identity === undefined ? error.key : stateOf(identity);
    if (this.#states.has(state)) return;
    const [oldest] = this.#states;
    if (oldest !== undefined && this.#states.size === maxStates) this.#states.delete(oldest);
    this.#states.add(state);
    this.#pending = error;
  }

  /** Whether a member of this object state was not JSON. */
  hasFailed(identity: ObjectIdentity): boolean {
    return this.#states.size > 0 && this.#states.has(stateOf(identity));
  }

  /** Throws the newest failure, once. */
  throwPending(): void {
    const error = this.#pending;
    this.#pending = undefined;
    if (error !== undefined) throw error;
  }
}

function stateOf({ uid, resourceVersion }: ObjectIdentity): string {
  return `${uid}/${resourceVersion}`;
}
