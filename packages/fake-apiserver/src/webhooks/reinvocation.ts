import { isJsonEqual } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";

/**
 * The state of the mutating admission of one request. If a policy or a webhook changes the object,
 * all of it runs a second time, as in k8s.io/apiserver pkg/admission/reinvocation.go.
 */
export class Reinvocation {
  /** Whether a second round follows. */
  isNeeded = false;
  isSecondRound = false;
}

/**
 * Tracks the plugins of one kind, policies or webhooks, that run again because the object has
 * changed after them.
 */
export class InvokedPlugins {
  readonly #round: Reinvocation;
  readonly #called = new Set<string>();
  readonly #again = new Set<string>();
  /** The object after the plugins of this kind in the last round. */
  #last: ApiObject | undefined;

  constructor(round: Reinvocation) {
    this.#round = round;
  }

  /** Begins a round. An object that others have changed since the last one is seen again. */
  begin(object: ApiObject | undefined): void {
    if (this.#round.isSecondRound && !isJsonEqual(object, this.#last)) this.#callAgain();
  }

  end(object: ApiObject | undefined): void {
    this.#last = object;
  }

  includes(id: string): boolean {
    return !this.#round.isSecondRound || this.#again.has(id);
  }

  /** A plugin has changed the object. */
  changed(): void {
    this.#round.isNeeded = true;
    this.#callAgain();
  }

  /** A plugin has run. @param isReinvoked whether later changes run it again */
  called(id: string, isReinvoked: boolean): void {
    if (isReinvoked) this.#called.add(id);
  }

  #callAgain(): void {
    for (const id of this.#called) this.#again.add(id);
    this.#called.clear();
  }
}
