import { demand, demandInteger, demandMilliseconds } from "../inputs/control-input-error.ts";
import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { WatchListMode } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import type { CoreSnapshot, LoggedEvent } from "./controlled-core.ts";
import type { FaultAction } from "../actions/fault-actions.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { IllegalControl } from "./illegal-control.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { PodControl } from "./pod-control.ts";
import type { RequestMatch } from "../inputs/request-match.ts";
import type { RequestRecorder } from "./request-recorder.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/**
 * Controls a {@link FakeApiServer} from a test: faults, history, open watches, barriers, recorded
 * requests. A real server, its storage, or a proxy in front of it can cause everything here, except
 * for what is in `illegal`.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const server = new FakeApiServer();
 * const { control } = server;
 * control.faults.add({
 *   match: { verb: "list" },
 *   action: { type: "status", status: { code: 503 } },
 * });
 *
 * const refused = await server.fetch(new Request("http://localhost/api/v1/pods"));
 * console.assert(refused.status === 503);
 * const served = await server.fetch(new Request("http://localhost/api/v1/pods"));
 * console.assert(served.status === 200);
 *
 * control.faults.assertConsumed();
 * console.assert(control.recorder.list({ resource: "pods" }).length === 2);
 * ```
 */
export class ServerControl {
  /** Rules that break, delay or replace answers. */
  readonly faults: FaultRules<FaultAction>;
  /** The open watches. */
  readonly watches: WatchRegistry;
  /** The requests that were received. */
  readonly recorder: RequestRecorder;
  /** Conditions to wait for. */
  readonly when: Barriers;
  /** Front ends with caches that lag behind. */
  readonly frontEnds: FrontEnds;
  /** Bookmarks of watches. */
  readonly bookmarks: BookmarkPolicy;
  /** Violations of the protocol. */
  readonly illegal: IllegalControl;
  /** Behaviour of pods that only runs on nodes: their logs. */
  readonly pods: PodControl;
  /** How the server answers `sendInitialEvents`. @default "supported" */
  watchList: WatchListMode = "supported";
  readonly #state: ControlState;

  /** @internal */
  constructor(state: ControlState) {
    this.#state = state;
    this.faults = state.faults;
    this.watches = state.watches;
    this.recorder = state.recorder;
    this.when = state.barriers;
    this.frontEnds = state.frontEnds;
    this.bookmarks = state.bookmarks;
    this.illegal = state.illegal;
    this.pods = state.pods;
  }

  /** Revision of the newest write. */
  get revision(): number {
    return this.#state.core.currentRevision();
  }

  /**
   * Returns the effective writes since the last compaction, oldest first, to compare the state of a
   * client with.
   */
  eventLog(resource?: string): readonly LoggedEvent[] {
    return this.#state.core.eventLog(resource);
  }

  /** Consumes a revision without a write, and returns the new one. */
  advanceRevision(): number {
    return this.#state.core.advanceRevision();
  }

  /**
   * Forgets everything older than a revision: exact lists and continue tokens from before it are
   * answered with 410, and watches from before it with an ERROR event 410. Open watches continue.
   */
  compact(options: CompactOptions = {}): void {
    const { core } = this.#state;
    const revision = options.to ?? core.currentRevision();
    demandInteger(revision, 0, "to");
    core.compact(revision, { watches: options.watches ?? true });
  }

  /**
   * Answers watches of the resource (`pods`, `widgets.example.com`) from before the revision with
   * an ERROR event 410.
   *
   * @throws {@link ControlInputError} for a resource the server does not serve
   */
  watchFloor(resource: string, revision: number): void {
    demandInteger(revision, 0, "revision");
    this.#state.core.setWatchFloor(resource, revision);
  }

  /** Expires the continue token of the next list that continues after page `pages` (410). */
  expireMidList(options: ExpireMidListOptions = {}): void {
    this.faults.add({
      name: "expireMidList",
      match: { ...options.match, verb: "list" },
      when: { skip: options.pages ?? 1 },
      action: { type: "compact" },
    });
  }

  /** Copies the whole state. Cheap: stored objects are shared. */
  snapshot(): CoreSnapshot {
    return this.#state.core.snapshot();
  }

  /**
   * Restores a copy of the state; open watches end. With `continue` the revision is higher than
   * before; with `rollback` it goes back too, as after a restore of etcd, so that clients send
   * versions of the future.
   *
   * @throws {@link ControlInputError} for a snapshot of another server
   */
  restore(snapshot: CoreSnapshot, mode: "continue" | "rollback" = "continue"): void {
    const { core } = this.#state;
    demand(["continue", "rollback"].includes(mode), "mode", '"continue" or "rollback"', mode);
    demand(core.has(snapshot), "snapshot", "a snapshot of this server", snapshot);
    this.watches.end();
    core.restore(snapshot, mode);
    this.#state.barriers.check();
  }

  /**
   * Answers lists and watches of the resource (`*` for all) with 429 "storage is (re)initializing"
   * for `ms` milliseconds.
   */
  unready(resource: string, ms: number): void {
    demandMilliseconds(ms, "ms");
    this.#state.outages.unready(resource, ms);
  }

  /**
   * Acts as a restart: every watch ends, older versions are too old for watches, and lists and
   * watches get 429 for `unreadyMs` milliseconds.
   */
  restart(options: RestartOptions = {}): void {
    this.watches.end();
    this.compact();
    if (options.unreadyMs !== undefined) this.unready("*", options.unreadyMs);
  }

  /** Ends every watch and answers every request with 503 until `start`. */
  shutdown(): void {
    this.#state.outages.shutDown = true;
    this.watches.end();
  }

  /** Ends a shutdown. */
  start(): void {
    this.#state.outages.shutDown = false;
  }
}

/** Options of {@link ServerControl.compact}. */
export interface CompactOptions {
  /** The oldest revision that is kept. @default the current one */
  readonly to?: number | undefined;
  /** False spares watches, as a compaction of etcd does on a real server. @default true */
  readonly watches?: boolean | undefined;
}

/** Options of {@link ServerControl.expireMidList}. */
export interface ExpireMidListOptions {
  readonly match?: RequestMatch | undefined;
  /** Pages served before. @default 1 */
  readonly pages?: number | undefined;
}

/** Options of {@link ServerControl.restart}. */
export interface RestartOptions {
  readonly unreadyMs?: number | undefined;
}
