import type { MatchableRequest } from "./requests.ts";

/** The front ends of the server: one until more are asked for. */
export interface FrontEnds {
  /**
   * Returns a front end; creates those up to the index that do not exist yet.
   *
   * @param index number of the front end, 0 to 99
   * @throws {@link ControlInputError} unless the index is an integer from 0 to 99
   */
  at(index: number): FrontEnd;
  /**
   * Chooses the front end for each request from now on.
   *
   * @param to index of a front end, or a function that returns one for each request; 0 without a
   *   call of `route`
   * @throws {@link ControlInputError} unless a number is an integer from 0 to 99
   */
  route(to: number | ((request: MatchableRequest) => number)): void;
}

/**
 * One front end of the server with separate caches. All share one storage: writes, and reads that
 * need the newest state, see the same objects.
 */
export interface FrontEnd {
  /**
   * Keeps the cache of a resource (`pods`, `widgets.example.com`) a number of revisions behind:
   * reads with resourceVersion "0" and watches see the past, lists without a resourceVersion do
   * not. 0 ends the lag.
   *
   * @param resource plural name, with its group if it has one; by default `*`, all resources
   * @throws {@link ControlInputError} unless `revisions` is an integer from 0
   */
  lag(revisions: number, resource?: string): void;
  /**
   * Stops the cache at its current revision until `catchUp`.
   *
   * @param resource plural name, with its group if it has one; by default `*`, all resources
   */
  freeze(resource?: string): void;
  /** Ends every lag and freeze. */
  catchUp(): void;
  /**
   * Refuses watches of the resource from before the revision (410) on this front end only.
   *
   * @param revision oldest revision that a watch may start from
   */
  watchFloor(resource: string, revision: number): void;
  /** The revision that the cache of the resource shows. */
  revision(resource: string): number;
}
