import { aString, checkOptions } from "@listwatch/core-fifo/base";
import { loadOnce } from "../../base/load-once.ts";
import { requestOf } from "../../input/request-info.ts";
import type { Fetch, FetchHandler } from "../../api/request.ts";
import type { CoreSnapshot, ServerControl } from "../../control/server-control.ts";
import { controlPrefix, problem } from "./control-answer.ts";

/** A server with a server control. */
export interface ControlledServer extends FetchHandler {
  /** Control that the endpoints expose. */
  readonly control: ServerControl;
}

// Tests in this process call the control itself.
const loadRoutes = loadOnce(() => import("./control-routes.ts"));

/**
 * The server's handler, with the server control under `/__control/` for tests in other languages:
 * JSON in, JSON out; `GET /__control/` lists what there is. Requests to it are neither recorded nor
 * subject to faults. On networks that others can reach only with a token.
 *
 * ```ts
 * import { FakeApiServer, withControlEndpoints } from "@listwatch/fake-apiserver";
 *
 * const handler = withControlEndpoints(new FakeApiServer());
 * const answer = await handler.fetch(new Request("http://localhost/__control/revision"));
 * console.assert((await answer.json()).revision > 0);
 * ```
 *
 * @param options `token`: what requests have to send as `Authorization: Bearer TOKEN`; by default
 *   none is asked for
 */
export function withControlEndpoints(
  server: ControlledServer,
  options: {
    /** Token that requests must send as `Authorization: Bearer TOKEN`. @default none */
    readonly token?: string | undefined;
  } = {},
): {
  /** Answers a request for the control or, with any other path, for the server. */
  readonly fetch: Fetch;
} {
  checkOptions(options, { token: aString });
  const { token } = options;
  const snapshots = new Map<string, CoreSnapshot>();
  return {
    fetch: async (input, init) => {
      const request = requestOf(input, init);
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith(controlPrefix)) return server.fetch(request);
      if (token !== undefined && !isBearer(request, token)) {
        return problem(401, "Expected the control token as a bearer token");
      }
      const { answerControl } = await loadRoutes();
      const path = pathname.slice(controlPrefix.length);
      return answerControl(server.control, snapshots, request, path);
    },
  };
}

/** Compares all characters, so that the time does not reveal anything about the token. */
function isBearer(request: Request, token: string): boolean {
  const [, sent = ""] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  let difference = sent.length ^ token.length;
  for (let index = 0; index < token.length; index++) {
    difference |= (sent.codePointAt(index) ?? 0) ^ (token.codePointAt(index) ?? 0);
  }
  return difference === 0;
}
