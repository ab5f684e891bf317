import {
  checkStatus,
  readStatus,
  type StatusFault,
  statusResponse,
} from "../inputs/status-fault.ts";
import type { LegalFault } from "./fault.ts";

/** Answers with a Status object; the request has no effect. */
export interface StatusAction {
  readonly type: "status";
  readonly status: StatusFault;
}

/** The fault `status`. */
export const status: LegalFault<StatusAction> = {
  type: "status",
  endsAnswer: true,
  read: (reader) => ({ type: "status", status: readStatus(reader.reader("status")) }),
  check: (action) => checkStatus(action.status, "action.status"),
  apply: (action, { subject }) => statusResponse(action.status, subject),
};
