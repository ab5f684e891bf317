import { checkHeaders } from "../inputs/headers.ts";
import type { LegalFault } from "./fault.ts";

/** Sets headers of the answer, `Connection: close` for example. */
export interface HeadersAction {
  readonly type: "headers";
  readonly set: Readonly<Record<string, string>>;
}

/** The fault `headers`. */
export const headers: LegalFault<HeadersAction> = {
  type: "headers",
  read: (reader) => ({ type: "headers", set: reader.textMap("set") }),
  check: (action) => checkHeaders(action.set, "action.set"),
  apply: (action, target) => target.setHeaders(action.set),
};
