import type { ControlState } from "./control-state.ts";
import type { IllegalAction } from "../fault-action.ts";
import type { FaultRules } from "./fault-rules.ts";

/**
 * What no real server does. For tests that a client survives nonsense; a client that loses
 * something because of it is not to blame.
 */
export class IllegalControl {
  /** Rules for the streams of watches. */
  readonly faults: FaultRules<IllegalAction>;
  readonly #state: ControlState;

  /** @internal */
  constructor(state: ControlState) {
    this.#state = state;
    this.faults = state.illegal;
  }

  /** Reads without a resourceVersion see the lagging cache of their front end too. @default false */
  get staleReads(): boolean {
    return this.#state.settings.staleReads;
  }

  set staleReads(value: boolean) {
    this.#state.settings.staleReads = value;
  }
}
