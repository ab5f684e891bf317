import { isPromiseLike } from "@listwatch/core-fifo/base";
import { ADD, CHANGE, CONNECT, DELETE, ERROR, UPDATE, type ObjectVerb } from "./verbs.ts";

/** A user-supplied function. Its result is not awaited. */
type Callback = (...values: never[]) => unknown;

const objectVerbs: readonly ObjectVerb[] = [ADD, UPDATE, DELETE];

/** The callbacks of an informer, by verb. A callback that throws does not stop the others. */
export class Callbacks {
  readonly #byVerb = new Map<string, Callback[]>(
    [...objectVerbs, ERROR, CONNECT].map((verb) => [verb, []]),
  );
  readonly #onFailure: (error: unknown, verb: string) => void;

  /** @param onFailure called with what a callback threw or rejected with; must not throw */
  constructor(onFailure: (error: unknown, verb: string) => void) {
    this.#onFailure = onFailure;
  }

  /** @throws {Error} for an unknown verb */
  add(verb: string, callback: Callback): void {
    if (typeof callback !== "function") {
      throw new TypeError(`Cannot add a callback for ${verb}: expected a function`);
    }
    for (const list of this.#listsOf(verb)) list.push(callback);
  }

  /** @throws {Error} for an unknown verb */
  remove(verb: string, callback: Callback): void {
    for (const list of this.#listsOf(verb)) {
      const position = list.indexOf(callback);
      if (position >= 0) list.splice(position, 1);
    }
  }

  has(verb: string): boolean {
    return (this.#byVerb.get(verb)?.length ?? 0) > 0;
  }

  /** Calls the current callbacks one after the other. Never throws. */
  call(verb: string, ...values: readonly unknown[]): void {
    for (const callback of [...(this.#byVerb.get(verb) ?? [])]) {
      try {
        const result: unknown = Reflect.apply(callback, undefined, values);
        if (!isPromiseLike(result)) continue;
        result.then(undefined, (error: unknown) => this.#onFailure(error, verb));
      } catch (error) {
        this.#onFailure(error, verb);
      }
    }
  }

  #listsOf(verb: string): readonly Callback[][] {
    const verbs = verb === CHANGE ? objectVerbs : [verb];
    return verbs.map((each) => {
      const list = this.#byVerb.get(each);
      // client-node throws this message.
      if (list === undefined) throw new Error(`Unknown verb: ${verb}`);
      return list;
    });
  }
}
