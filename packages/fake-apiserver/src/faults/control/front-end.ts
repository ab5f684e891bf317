import { demandInteger } from "../inputs/control-input-error.ts";
import type { CacheView } from "./control-hooks.ts";

/** State that a front end observes. */
export interface FrontEndState {
  currentRevision(): number;
  /** Called when the cache of a front end has moved, so that watches check it again. */
  changed(): void;
}

/**
 * One front end of the server with separate caches. All share one storage: writes, and reads that
 * need the newest state, see the same objects.
 */
export class FrontEnd {
  readonly #state: FrontEndState;
  readonly #lags: Map<string, number> = new Map();
  readonly #frozen: Map<string, number> = new Map();
  readonly #floors: Map<string, number> = new Map();

  /** @internal */
  constructor(state: FrontEndState) {
    this.#state = state;
  }

  /**
   * Keeps the cache of a resource (`pods`, `widgets.example.com`; `*` for all) a number of
   * revisions behind: reads with resourceVersion "0" and watches see the past, lists without a
   * resourceVersion do not. 0 ends the lag.
   *
   * @throws {@link ControlInputError} unless `revisions` is an integer from 0
   */
  lag(revisions: number, resource: string = "*"): void {
    demandInteger(revisions, 0, "revisions");
    this.#lags.set(resource, revisions);
    this.#state.changed();
  }

  /** Stops the cache at its current revision until `catchUp`. */
  freeze(resource: string = "*"): void {
    this.#frozen.set(resource, this.revision(resource));
    this.#state.changed();
  }

  /** Ends every lag and freeze. */
  catchUp(): void {
    this.#lags.clear();
    this.#frozen.clear();
    this.#state.changed();
  }

  /** Refuses watches of the resource from before the revision (410) on this front end only. */
  watchFloor(resource: string, revision: number): void {
    this.#floors.set(resource, revision);
  }

  /** The revision that the cache of the resource shows. */
  revision(resource: string): number {
    const lag = this.#lags.get(resource) ?? this.#lags.get("*") ?? 0;
    const frozen = this.#frozen.get(resource) ?? this.#frozen.get("*") ?? Infinity;
    return Math.max(1, Math.min(frozen, this.#state.currentRevision() - lag));
  }

  /** Undefined while no lag, freeze or floor is set. @internal */
  view(resource: string, staleReads: boolean): CacheView | undefined {
    const watchFloor = this.#floors.get(resource) ?? 0;
    if (this.#lags.size === 0 && this.#frozen.size === 0 && watchFloor === 0) return undefined;
    return { revision: this.revision(resource), watchFloor, staleReads };
  }

  /** True while a lag or freeze may hold events back. @internal */
  get isBehind(): boolean {
    return this.#lags.size > 0 || this.#frozen.size > 0;
  }
}
