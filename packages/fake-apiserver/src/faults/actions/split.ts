import { checkShape, readShape, type StreamShape } from "../inputs/stream-shape.ts";
import type { LegalFault } from "./fault.ts";

/** Changes where the chunks of the body begin and end. */
export interface SplitAction {
  readonly type: "split";
  readonly shape: StreamShape;
}

/** The fault `split`. */
export const split: LegalFault<SplitAction> = {
  type: "split",
  read: (reader) => ({ type: "split", shape: readShape(reader.reader("shape")) }),
  check: (action) => checkShape(action.shape),
  apply: ({ shape }, target) => target.onBody((body) => body.reshape(shape)),
};
