import {
  checkStatus,
  readStatus,
  type StatusFault,
  statusResponse,
} from "../inputs/status-fault.ts";
import { ConnectionResetError } from "../stream/connection-reset-error.ts";
import type { LegalFault } from "./fault.ts";

/** Commits the request and withholds the answer: a write is stored, and the client cannot know it. */
export interface CommitThenFailAction {
  readonly type: "commitThenFail";
  /** Answer that the client gets instead. @default "reset" */
  readonly with?: "reset" | StatusFault | undefined;
}

/** The fault `commitThenFail`. */
export const commitThenFail: LegalFault<CommitThenFailAction> = {
  type: "commitThenFail",
  endsAnswer: true,
  read: (reader) => ({
    type: "commitThenFail",
    with: reader.hasObject("with")
      ? readStatus(reader.reader("with"))
      : reader.choice("with", ["reset"], "reset"),
  }),
  check: ({ with: instead = "reset" }) => {
    if (instead !== "reset") checkStatus(instead, "action.with");
  },
  apply: ({ with: instead = "reset" }, target) => {
    target.replaceAnswer(() => {
      if (instead === "reset") throw new ConnectionResetError();
      return statusResponse(instead, target.subject);
    });
  },
};
