import { ListwatchError } from "@listwatch/core-fifo";

/**
 * A ring has another number of slots, hash or protocol than this member, or its name is that of a
 * Lease of another program, such as an elector. This member must not take part. Code
 * `LW_RING_MISMATCH`.
 */
export class RingMismatchError extends ListwatchError {
  /** Always `"RingMismatchError"`, also in minified programs. */
  override readonly name: string = "RingMismatchError";

  constructor(ring: string, expected: string, actual: string) {
    super(
      "LW_RING_MISMATCH",
      `Cannot take part in the ring ${ring}: expected ${expected}, got ${actual}`,
      { advice: "Use the same options for all members, or another name for the ring" },
    );
  }
}

/**
 * A write was refused, or a reconcile was aborted, because this process does not own the slot of
 * the key. Code `LW_NOT_SLOT_OWNER`.
 */
export class NotSlotOwnerError extends ListwatchError {
  /** Always `"NotSlotOwnerError"`, also in minified programs. */
  override readonly name: string = "NotSlotOwnerError";

  /** @param action what this process cannot do, such as "write to slot 5" */
  constructor(action: string, why: string) {
    super("LW_NOT_SLOT_OWNER", `Cannot ${action}: ${why}`);
  }
}
