import { demand } from "./control-input-error.ts";
import type { MatchableRequest } from "./request-match.ts";
import { Replica, type ReplicaState } from "./replica.ts";

// Each replica has caches of its own; nobody tests with more, and a slip of a digit must not fill the memory.
const mostReplicas = 100;

/** The front ends of the server: one until more are asked for. */
export class ReplicaSet {
  readonly #state: ReplicaState;
  readonly #replicas: Replica[];
  #route: (request: MatchableRequest) => number = () => 0;

  /** @internal */
  constructor(state: ReplicaState) {
    this.#state = state;
    this.#replicas = [new Replica(state)];
  }

  /**
   * Creates the replicas up to the index that are not there yet.
   *
   * @throws {@link ControlInputError} unless the index is an integer from 0 to 99
   */
  at(index: number): Replica {
    checkIndex(index);
    let replica = this.#replicas[index];
    while (replica === undefined) {
      this.#replicas.push(new Replica(this.#state));
      replica = this.#replicas[index];
    }
    return replica;
  }

  /**
   * Which replica gets a request from now on. @default 0
   *
   * @throws {@link ControlInputError} unless a number is an integer from 0 to 99
   */
  route(to: number | ((request: MatchableRequest) => number)): void {
    if (typeof to === "number") checkIndex(to);
    this.#route = typeof to === "number" ? () => to : to;
  }

  /** @internal */
  for(request: MatchableRequest): Replica {
    return this.at(this.#route(request));
  }
}

function checkIndex(index: number): void {
  const isFine = Number.isInteger(index) && index >= 0 && index < mostReplicas;
  demand(isFine, "replica", `an integer from 0 to ${mostReplicas - 1}`, index);
}
