import type { IllegalAction } from "../actions/fault-actions.ts";
import type { FaultRules } from "./fault-rules.ts";

/**
 * Violations of the protocol, which no real server commits. For tests that a client survives them;
 * a client that loses something because of one has no bug.
 */
export class IllegalControl {
  /** Rules for the streams of watches. */
  readonly faults: FaultRules<IllegalAction>;
  /** Reads without a resourceVersion see the lagging cache of their front end too. @default false */
  staleReads: boolean = false;

  /** @internal */
  constructor(faults: FaultRules<IllegalAction>) {
    this.faults = faults;
  }
}
