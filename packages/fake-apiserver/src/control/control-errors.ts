import type { ActiveFault } from "./fault-rules.ts";

/**
 * The server control cannot use an input. The message names the field, the expected and the actual
 * value.
 */
export class ControlInputError extends RangeError {
  /** Always `"ControlInputError"`, also in minified programs. */
  override readonly name: string = "ControlInputError";
  /** Stable identifier of the kind of failure. */
  readonly code = "LW_INVALID_CONTROL" as const;
}

/** Thrown when rules were not used as often as `times`: the test did not cause its faults. */
export class UnconsumedFaultsError extends Error {
  /** Always `"UnconsumedFaultsError"`, also in minified programs. */
  override readonly name: string = "UnconsumedFaultsError";
  /** Stable identifier of the kind of failure. */
  readonly code = "LW_UNCONSUMED_FAULTS" as const;
  /** Rules that were not used often enough. */
  readonly faults: readonly ActiveFault[];

  /** @param texts a description of each fault, for the message */
  constructor(faults: readonly ActiveFault[], texts: readonly string[]) {
    super(`Expected every fault to be used, but ${texts.join("; ")}`);
    this.faults = faults;
  }
}

/**
 * A connection that a fault broke. `fetch` rejects with it, or the body stream fails with it, as a
 * client's own `fetch` does when the peer resets the connection; the listeners answer it by
 * resetting the TCP connection.
 */
export class ConnectionResetError extends TypeError {
  /** Always `"ConnectionResetError"`, also in minified programs. */
  override readonly name: string = "ConnectionResetError";
  /** The code of Node, for clients that look at codes. */
  readonly code = "ECONNRESET" as const;

  constructor(message: string = "The fake API server reset the connection, as a fault demands") {
    super(message);
  }
}
