import { barrierRoutes } from "./barrier-routes.ts";
import type { ControlRoute } from "./control-route.ts";
import { faultRoutes } from "./fault-routes.ts";
import { podRoutes } from "./pod-routes.ts";
import { policyRoutes } from "./policy-routes.ts";
import { historyRoutes, stateRoutes } from "./state-routes.ts";
import { watchRoutes } from "./watch-routes.ts";

const listOfRoutes: ControlRoute = {
  method: "GET",
  path: "",
  run: () => ({ routes: controlRoutes.map(({ method, path }) => `${method} /__control/${path}`) }),
};

/** Every request that the control endpoints answer. */
export const controlRoutes: readonly ControlRoute[] = [
  listOfRoutes,
  ...stateRoutes,
  ...historyRoutes,
  ...faultRoutes,
  ...policyRoutes,
  ...podRoutes,
  ...watchRoutes,
  ...barrierRoutes,
];
