import type { Clock, Timer } from "@listwatch/core-fifo/base";
import { statusResponse } from "../inputs/status-fault.ts";
import type { MatchableRequest } from "../../control/requests.ts";

/** Times in which the server, or one resource of it, does not answer as usual. */
export class Outages {
  readonly #clock: Clock;
  readonly #unready: Map<string, Timer | undefined> = new Map();
  #shutDown = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers every request with 503 while true. */
  set shutDown(value: boolean) {
    this.#shutDown = value;
  }

  /** Answers lists and watches of the resource (`*` for all) with 429 for `ms` milliseconds. */
  unready(resource: string, ms: number): void {
    this.#unready.get(resource)?.cancel();
    const timer = this.#clock.setTimeout(() => this.#unready.delete(resource), ms);
    this.#unready.set(resource, timer);
  }

  /** Returns the error response for a request, if there is one. */
  answer(request: MatchableRequest): Response | undefined {
    if (this.#shutDown) {
      // As recorded from a server that shuts down.
      return statusResponse({
        code: 503,
        message: "apiserver is shutting down",
        retryAfterSeconds: 1,
      });
    }
    if (this.#unready.size === 0) return undefined;
    if (request.verb !== "list" && request.verb !== "watch") return undefined;
    const { group, resource } = request;
    const key = group === "" ? resource : `${resource}.${group}`;
    if (!this.#unready.has(key) && !this.#unready.has("*")) return undefined;
    // As recorded from a server whose watch cache is not ready.
    return statusResponse({
      code: 429,
      message: "storage is (re)initializing",
      retryAfterSeconds: 1,
    });
  }
}
