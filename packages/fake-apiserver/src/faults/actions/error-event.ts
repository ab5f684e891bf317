import { checkStatus, readStatus, type StatusFault } from "../inputs/status-fault.ts";
import {
  type BodyPosition,
  checkBodyPosition,
  readBodyPosition,
  whenReached,
} from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";

/** Sends an ERROR event with a Status, then ends the stream. */
export interface ErrorEventAction {
  readonly type: "errorEvent";
  readonly status: StatusFault;
  /** @default at once */
  readonly after?: BodyPosition | undefined;
}

/** The fault `errorEvent`. */
export const errorEvent: LegalFault<ErrorEventAction> = {
  type: "errorEvent",
  endsAnswer: true,
  read: (reader) => ({
    type: "errorEvent",
    after: readBodyPosition(reader),
    status: readStatus(reader.reader("status")),
  }),
  check: (action) => {
    checkStatus(action.status, "action.status");
    checkBodyPosition(action.after);
  },
  apply: ({ after, status }, target) =>
    target.onBody((body) => whenReached(body, after, () => body.endWithError(status))),
};
