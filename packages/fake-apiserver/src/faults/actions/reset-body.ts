import {
  type BodyPosition,
  checkBodyPosition,
  readBodyPosition,
  whenReached,
} from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";

/** Breaks the connection in the middle of the body. */
export interface ResetBodyAction {
  readonly type: "resetBody";
  /** @default at once */
  readonly after?: BodyPosition | undefined;
}

/** The fault `resetBody`. */
export const resetBody: LegalFault<ResetBodyAction> = {
  type: "resetBody",
  endsAnswer: true,
  read: (reader) => ({ type: "resetBody", after: readBodyPosition(reader) }),
  check: (action) => checkBodyPosition(action.after),
  apply: ({ after }, target) =>
    target.onBody((body) => whenReached(body, after, () => body.reset())),
};
