import { ConnectionResetError } from "../stream/connection-reset-error.ts";
import type { LegalFault } from "./fault.ts";

/** Breaks the connection before an answer; the request has no effect. */
export interface ResetAction {
  readonly type: "reset";
}

/** The fault `reset`. */
export const reset: LegalFault<ResetAction> = {
  type: "reset",
  endsAnswer: true,
  read: () => ({ type: "reset" }),
  check: () => {},
  apply: () => {
    throw new ConnectionResetError();
  },
};
