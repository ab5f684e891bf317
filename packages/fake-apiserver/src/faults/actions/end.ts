import {
  type BodyPosition,
  checkBodyPosition,
  readBodyPosition,
  whenReached,
} from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";

/** Ends the body cleanly, too early for a list. */
export interface EndAction {
  readonly type: "end";
  /** @default at once */
  readonly after?: BodyPosition | undefined;
}

/** The fault `end`. */
export const end: LegalFault<EndAction> = {
  type: "end",
  endsAnswer: true,
  read: (reader) => ({ type: "end", after: readBodyPosition(reader) }),
  check: (action) => checkBodyPosition(action.after),
  apply: ({ after }, target) => target.onBody((body) => whenReached(body, after, () => body.end())),
};
