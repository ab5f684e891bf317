import type { FrontEnds } from "../../control/front-ends.ts";
import { demand } from "../inputs/demand.ts";
import type { MatchableRequest } from "../../control/requests.ts";
import { FrontEndCaches, type FrontEndState } from "./front-end-caches.ts";

// Each front end has its caches: a slip of a digit must not fill the memory.
const mostFrontEnds = 100;

/** The front ends of the server, and the route of each request to one of them. */
export class FrontEndRouter implements FrontEnds {
  readonly #state: FrontEndState;
  readonly #frontEnds: FrontEndCaches[];
  #route: (request: MatchableRequest) => number = () => 0;

  constructor(state: FrontEndState) {
    this.#state = state;
    this.#frontEnds = [new FrontEndCaches(state)];
  }

  at(index: number): FrontEndCaches {
    checkIndex(index);
    let frontEnd = this.#frontEnds[index];
    while (frontEnd === undefined) {
      this.#frontEnds.push(new FrontEndCaches(this.#state));
      frontEnd = this.#frontEnds[index];
    }
    return frontEnd;
  }

  route(to: number | ((request: MatchableRequest) => number)): void {
    if (typeof to === "number") checkIndex(to);
    this.#route = typeof to === "number" ? () => to : to;
  }

  /** The front end of a request. */
  for(request: MatchableRequest): FrontEndCaches {
    return this.at(this.#route(request));
  }
}

function checkIndex(index: number): void {
  const isFine = Number.isInteger(index) && index >= 0 && index < mostFrontEnds;
  demand(isFine, "front end", `an integer from 0 to ${mostFrontEnds - 1}`, index);
}
