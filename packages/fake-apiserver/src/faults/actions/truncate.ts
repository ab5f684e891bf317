import { checkCut, type CutPosition, readCut } from "../inputs/cut-position.ts";
import {
  type BodyPosition,
  checkBodyPosition,
  readBodyPosition,
  whenReached,
} from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";

/** Cuts the body at a byte, inside a line, or inside a character. */
export interface TruncateAction {
  readonly type: "truncate";
  readonly at: CutPosition;
  /** @default at once */
  readonly after?: BodyPosition | undefined;
}

/** The fault `truncate`. */
export const truncate: LegalFault<TruncateAction> = {
  type: "truncate",
  endsAnswer: true,
  read: (reader) => ({
    type: "truncate",
    after: readBodyPosition(reader),
    at: readCut(reader.reader("at")),
  }),
  check: (action) => {
    checkCut(action.at);
    checkBodyPosition(action.after);
  },
  apply: ({ after, at }, target) =>
    target.onBody((body) => whenReached(body, after, () => body.cutAt(at))),
};
