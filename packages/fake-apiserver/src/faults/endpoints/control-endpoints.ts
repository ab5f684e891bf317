import { requestOf } from "../../input/request-info.ts";
import type { Fetch, FetchHandler } from "../../api/request.ts";
import { ControlInputError, UnconsumedFaultsError } from "../../control/control-errors.ts";
import type { CoreSnapshot, ServerControl } from "../../control/server-control.ts";
import { JsonReader } from "../inputs/json-reader.ts";
import { barrierRoutes } from "./barrier-routes.ts";
import { type ControlCall, type ControlRoute, fitsPath } from "./control-route.ts";
import { faultRoutes } from "./fault-routes.ts";
import { podRoutes, policyRoutes } from "./policy-routes.ts";
import { historyRoutes, stateRoutes } from "./state-routes.ts";
import { watchRoutes } from "./watch-routes.ts";
import { aString, checkOptions } from "@listwatch/core-fifo/base";

/** A server with a server control. */
export interface ControlledServer extends FetchHandler {
  /** Control that the endpoints expose. */
  readonly control: ServerControl;
}

const prefix = "/__control/";

const listOfRoutes: ControlRoute = {
  method: "GET",
  path: "",
  run: () => ({ routes: controlRoutes.map(({ method, path }) => `${method} ${prefix}${path}`) }),
};

const controlRoutes: readonly ControlRoute[] = [
  listOfRoutes,
  ...stateRoutes,
  ...historyRoutes,
  ...faultRoutes,
  ...policyRoutes,
  ...podRoutes,
  ...watchRoutes,
  ...barrierRoutes,
];

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
      if (!pathname.startsWith(prefix)) return server.fetch(request);
      if (token !== undefined && !isBearer(request, token)) {
        return problem(401, "Expected the control token as a bearer token");
      }
      return answer(server.control, snapshots, request, pathname.slice(prefix.length));
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

async function answer(
  control: ServerControl,
  snapshots: Map<string, CoreSnapshot>,
  request: Request,
  path: string,
): Promise<Response> {
  const segments = path.split("/").filter((segment) => segment !== "");
  const matching = controlRoutes.filter((route) => fitsPath(route, segments));
  const route = matching.find(({ method }) => method === request.method);
  if (route === undefined) {
    const status = matching.length === 0 ? 404 : 405;
    return problem(status, `Unknown control request ${request.method} ${prefix}${path}`);
  }
  try {
    const text = await request.text();
    const reader = new JsonReader(text === "" ? {} : parseBody(text));
    const call: ControlCall = {
      control,
      snapshots,
      reader,
      query: new URL(request.url).searchParams,
      signal: request.signal,
      parameter: segments[route.path.split("/").indexOf("*")] ?? "",
    };
    // Before anything is done: a request with a typing error must not be half obeyed.
    if (route.fields !== "checked by run") reader.only(route.fields ?? []);
    const result = await route.run(call);
    return Response.json(result ?? {});
  } catch (error) {
    return refusal(error);
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ControlInputError(`Expected JSON: ${String(error)}`);
  }
}

function refusal(error: unknown): Response {
  if (error instanceof ControlInputError || error instanceof RangeError) {
    return problem(400, error.message);
  }
  if (error instanceof UnconsumedFaultsError) return problem(409, error.message);
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return problem(408, "The barrier was not reached in time");
  }
  return problem(500, String(error));
}

function problem(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}
