import type { FrontEnd } from "../../control/front-ends.ts";
import { demandInteger } from "../inputs/demand.ts";
import type { CacheView } from "./control-hooks.ts";

/** State of the server that a front end looks at. */
export interface FrontEndState {
  currentRevision(): number;
  /** Called when the cache of a front end has moved, so that watches check it again. */
  changed(): void;
}

/** One front end: how far the cache of each resource is behind the storage. */
export class FrontEndCaches implements FrontEnd {
  readonly #state: FrontEndState;
  readonly #lags: Map<string, number> = new Map();
  readonly #frozen: Map<string, number> = new Map();
  readonly #floors: Map<string, number> = new Map();

  constructor(state: FrontEndState) {
    this.#state = state;
  }

  lag(revisions: number, resource: string = "*"): void {
    demandInteger(revisions, 0, "revisions");
    this.#lags.set(resource, revisions);
    this.#state.changed();
  }

  freeze(resource: string = "*"): void {
    this.#frozen.set(resource, this.revision(resource));
    this.#state.changed();
  }

  catchUp(): void {
    this.#lags.clear();
    this.#frozen.clear();
    this.#state.changed();
  }

  watchFloor(resource: string, revision: number): void {
    this.#floors.set(resource, revision);
  }

  revision(resource: string): number {
    const lag = this.#lags.get(resource) ?? this.#lags.get("*") ?? 0;
    const frozen = this.#frozen.get(resource) ?? this.#frozen.get("*") ?? Infinity;
    return Math.max(1, Math.min(frozen, this.#state.currentRevision() - lag));
  }

  /** Undefined while no lag, freeze or floor is set. */
  view(resource: string, staleReads: boolean): CacheView | undefined {
    const watchFloor = this.#floors.get(resource) ?? 0;
    if (this.#lags.size === 0 && this.#frozen.size === 0 && watchFloor === 0) return undefined;
    return { revision: this.revision(resource), watchFloor, staleReads };
  }

  /** True while a lag or freeze may hold events back. */
  get isBehind(): boolean {
    return this.#lags.size > 0 || this.#frozen.size > 0;
  }
}
