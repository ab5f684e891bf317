import {
  type BodyPosition,
  checkBodyPosition,
  readBodyPosition,
  whenReached,
} from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";

/** Sends nothing more, and leaves the connection open. */
export interface StallAction {
  readonly type: "stall";
  /** @default at once */
  readonly after?: BodyPosition | undefined;
}

/** The fault `stall`. */
export const stall: LegalFault<StallAction> = {
  type: "stall",
  endsAnswer: true,
  read: (reader) => ({ type: "stall", after: readBodyPosition(reader) }),
  check: (action) => checkBodyPosition(action.after),
  apply: ({ after }, target) =>
    target.onBody((body) => whenReached(body, after, () => body.stall())),
};
