import { checkPace } from "../inputs/stream-shape.ts";
import {
  type BodyPosition,
  checkBodyPosition,
  readBodyPosition,
  whenReached,
} from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";

/** Sends the body no faster than this. */
export interface SlowAction {
  readonly type: "slow";
  readonly bytesPerSecond: number;
  /** @default at once */
  readonly after?: BodyPosition | undefined;
}

/** The fault `slow`. */
export const slow: LegalFault<SlowAction> = {
  type: "slow",
  read: (reader) => ({
    type: "slow",
    after: readBodyPosition(reader),
    bytesPerSecond: reader.number("bytesPerSecond"),
  }),
  check: (action) => {
    checkPace(action.bytesPerSecond);
    checkBodyPosition(action.after);
  },
  apply: ({ after, bytesPerSecond }, target) =>
    target.onBody((body) => whenReached(body, after, () => body.slow(bytesPerSecond))),
};
