import type { MatchableRequest } from "./request-match.ts";
import { Replica, type ReplicaState } from "./replica.ts";

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

  /** Creates the replicas up to the index that are not there yet. */
  at(index: number): Replica {
    while (this.#replicas.length <= index) this.#replicas.push(new Replica(this.#state));
    const replica = this.#replicas[index];
    if (replica === undefined)
      throw new RangeError(`Expected a replica number from 0, got ${index}`);
    return replica;
  }

  /** Which replica gets a request from now on. @default 0 */
  route(to: number | ((request: MatchableRequest) => number)): void {
    this.#route = typeof to === "number" ? () => to : to;
  }

  /** @internal */
  for(request: MatchableRequest): Replica {
    return this.at(this.#route(request));
  }
}
