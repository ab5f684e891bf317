import type { LegalFault } from "./fault.ts";

/**
 * Compacts the history up to now before the server acts: a continue token of an earlier page has
 * expired.
 */
export interface CompactAction {
  readonly type: "compact";
}

/** The fault `compact`. */
export const compact: LegalFault<CompactAction> = {
  type: "compact",
  read: () => ({ type: "compact" }),
  check: () => {},
  apply: (_action, target) => target.compactHistory(),
};
