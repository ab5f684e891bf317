import { demandInteger } from "../inputs/control-input-error.ts";
import type { CacheView } from "./control-hooks.ts";

/** What a front end looks at. */
export interface FrontEndState {
  currentRevision(): number;
  /** The cache of the front end moved: watches look again. */
  changed(): void;
}

/**
 * One front end of the server, with caches of its own. All share one storage: writes, and reads
 * that need the newest state, are the same.
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
   * The cache of the resource (`pods`, `widgets.example.com`; `*` = all) is so many revisions
   * behind: reads with resourceVersion "0" and watches see the past, lists without a
   * resourceVersion do not. 0 ends it.
   *
   * @throws {@link ControlInputError} unless `revisions` is an integer from 0
   */
  lag(revisions: number, resource: string = "*"): void {
    demandInteger(revisions, 0, "revisions");
    this.#lags.set(resource, revisions);
    this.#state.changed();
  }

  /** The cache stops where it is now, whatever is written, until `catchUp`. */
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

  /** This front end alone refuses watches of the resource from before the revision (410). */
  watchFloor(resource: string, revision: number): void {
    this.#floors.set(resource, revision);
  }

  /** How far the cache of the resource has come. */
  revision(resource: string): number {
    const lag = this.#lags.get(resource) ?? this.#lags.get("*") ?? 0;
    const frozen = this.#frozen.get(resource) ?? this.#frozen.get("*") ?? Infinity;
    return Math.max(1, Math.min(frozen, this.#state.currentRevision() - lag));
  }

  /** Undefined while the front end is like any other. @internal */
  view(resource: string, staleReads: boolean): CacheView | undefined {
    const watchFloor = this.#floors.get(resource) ?? 0;
    if (this.#lags.size === 0 && this.#frozen.size === 0 && watchFloor === 0) return undefined;
    return { revision: this.revision(resource), watchFloor, staleReads };
  }

  /** True if events may have to wait. @internal */
  get isBehind(): boolean {
    return this.#lags.size > 0 || this.#frozen.size > 0;
  }
}
