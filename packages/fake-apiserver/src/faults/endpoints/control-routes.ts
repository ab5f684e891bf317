import { ControlInputError, UnconsumedFaultsError } from "../../control/control-errors.ts";
import type { CoreSnapshot, ServerControl } from "../../control/server-control.ts";
import { JsonReader } from "../inputs/json-reader.ts";
import { barrierRoutes } from "./barrier-routes.ts";
import { controlPrefix, problem } from "./control-answer.ts";
import { type ControlCall, type ControlRoute, fitsPath } from "./control-route.ts";
import { faultRoutes } from "./fault-routes.ts";
import { podRoutes, policyRoutes } from "./policy-routes.ts";
import { historyRoutes, stateRoutes } from "./state-routes.ts";
import { watchRoutes } from "./watch-routes.ts";

const listOfRoutes: ControlRoute = {
  method: "GET",
  path: "",
  run: () => ({
    routes: controlRoutes.map(({ method, path }) => `${method} ${controlPrefix}${path}`),
  }),
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
 * Answers a control request.
 *
 * @param path what follows the prefix
 */
export async function answerControl(
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
    return problem(status, `Unknown control request ${request.method} ${controlPrefix}${path}`);
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
