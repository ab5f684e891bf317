import { demand } from "../inputs/control-input-error.ts";
import type { MatchableRequest } from "../inputs/request-match.ts";
import { FrontEnd, type FrontEndState } from "./front-end.ts";

// Each front end has its caches: a slip of a digit must not fill the memory.
const mostFrontEnds = 100;

/** The front ends of the server: one until more are asked for. */
export class FrontEnds {
  readonly #state: FrontEndState;
  readonly #frontEnds: FrontEnd[];
  #route: (request: MatchableRequest) => number = () => 0;

  /** @internal */
  constructor(state: FrontEndState) {
    this.#state = state;
    this.#frontEnds = [new FrontEnd(state)];
  }

  /**
   * Returns a front end; creates those up to the index that do not exist yet.
   *
   * @throws {@link ControlInputError} unless the index is an integer from 0 to 99
   */
  at(index: number): FrontEnd {
    checkIndex(index);
    let frontEnd = this.#frontEnds[index];
    while (frontEnd === undefined) {
      this.#frontEnds.push(new FrontEnd(this.#state));
      frontEnd = this.#frontEnds[index];
    }
    return frontEnd;
  }

  /**
   * Chooses the front end for each request from now on. @default 0
   *
   * @throws {@link ControlInputError} unless a number is an integer from 0 to 99
   */
  route(to: number | ((request: MatchableRequest) => number)): void {
    if (typeof to === "number") checkIndex(to);
    this.#route = typeof to === "number" ? () => to : to;
  }

  /** @internal */
  for(request: MatchableRequest): FrontEnd {
    return this.at(this.#route(request));
  }
}

function checkIndex(index: number): void {
  const isFine = Number.isInteger(index) && index >= 0 && index < mostFrontEnds;
  demand(isFine, "front end", `an integer from 0 to ${mostFrontEnds - 1}`, index);
}
