import { demand } from "../inputs/control-input-error.ts";
import { checkHeaders } from "../inputs/headers.ts";
import { canHaveBody, isAnswerStatus } from "../inputs/status-fault.ts";
import type { LegalFault } from "./fault.ts";

/**
 * Answers with anything: the HTML of a load balancer, plain text, an empty body. The request has no
 * effect.
 */
export interface RespondAction {
  readonly type: "respond";
  readonly status: number;
  /** @default "" */
  readonly body?: string | undefined;
  /** @default text/html for a body that begins with "<", else text/plain */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The fault `respond`. */
export const respond: LegalFault<RespondAction> = {
  type: "respond",
  endsAnswer: true,
  read: (reader) => ({
    type: "respond",
    status: reader.number("status"),
    body: reader.text("body", ""),
    ...(reader.has("headers") ? { headers: reader.textMap("headers") } : {}),
  }),
  check: ({ status, body = "", headers = {} }) => {
    demand(isAnswerStatus(status), "action.status", "an integer from 200 to 599", status);
    demand(
      body === "" || canHaveBody(status),
      "action.body",
      `no body for the status ${status}`,
      body,
    );
    checkHeaders(headers, "action.headers");
  },
  apply: ({ status, body = "", headers }) => {
    const type = body.startsWith("<") ? "text/html" : "text/plain; charset=utf-8";
    const allHeaders = { ...(body === "" ? {} : { "Content-Type": type }), ...headers };
    return new Response(body === "" ? null : body, { status, headers: allHeaders });
  },
};
