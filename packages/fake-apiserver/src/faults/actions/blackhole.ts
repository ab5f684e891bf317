import { untilAborted } from "@listwatch/core-fifo/base";
import type { LegalFault } from "./fault.ts";

/** Takes the request and never answers it. Ends when the client aborts. */
export interface BlackholeAction {
  readonly type: "blackhole";
}

/** The fault `blackhole`. */
export const blackhole: LegalFault<BlackholeAction> = {
  type: "blackhole",
  endsAnswer: true,
  read: () => ({ type: "blackhole" }),
  check: () => {},
  apply: (_action, { signal }) => {
    const { promise } = Promise.withResolvers<never>();
    return untilAborted(promise, signal);
  },
};
