import { demandInteger, demandMilliseconds } from "../inputs/control-input-error.ts";
import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { WatchListMode } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import type { CoreSnapshot, LoggedEvent } from "./controlled-core.ts";
import type { FaultAction } from "../actions/fault-actions.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { IllegalControl } from "./illegal-control.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { RequestMatch } from "../inputs/request-match.ts";
import type { RequestRecorder } from "./request-recorder.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/**
 * Everything a test can do to a {@link FakeApiServer} besides talking to it. Nothing here can
 * happen only to a fake: a real server, its storage, or a proxy before it does all of it at times.
 * What no real server does is apart, in `illegal`.
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
  /** What was asked. */
  readonly recorder: RequestRecorder;
  /** Points to wait for. */
  readonly when: Barriers;
  /** Front ends with caches that lag behind. */
  readonly frontEnds: FrontEnds;
  /** Which bookmarks watches get. */
  readonly bookmarks: BookmarkPolicy;
  /** Violations of the protocol. */
  readonly illegal: IllegalControl;
  /** How `sendInitialEvents` is treated. @default "supported" */
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
  }

  /** Revision of the newest write. */
  get revision(): number {
    return this.#state.core.currentRevision();
  }

  /**
   * Every effective write that is still remembered, oldest first: what any client's view can be
   * compared with.
   */
  eventLog(resource?: string): readonly LoggedEvent[] {
    return this.#state.core.eventLog(resource);
  }

  /** Consumes a revision, as a write to an object of another server does. Returns the new one. */
  advanceRevision(): number {
    return this.#state.core.advanceRevision();
  }

  /**
   * Forgets everything older than a revision: exact lists and continue tokens from before it are
   * answered with 410, and watches from before it with an ERROR event 410. Watches that are open go
   * on.
   */
  compact(options: CompactOptions = {}): void {
    const { core } = this.#state;
    const revision = options.to ?? core.currentRevision();
    demandInteger(revision, 0, "to");
    core.compact(revision, { watches: options.watches ?? true });
  }

  /**
   * Watches of the resource (`pods`, `widgets.example.com`) from before the revision get an ERROR
   * event 410.
   *
   * @throws {@link ControlInputError} for a resource the server does not serve
   */
  watchFloor(resource: string, revision: number): void {
    demandInteger(revision, 0, "revision");
    this.#state.core.setWatchFloor(resource, revision);
  }

  /** Lists that go on after the `pages`-th page find their token expired (410), once. */
  expireMidList(options: ExpireMidListOptions = {}): void {
    this.faults.add({
      name: "expireMidList",
      match: { ...options.match, verb: "list" },
      when: { skip: options.pages ?? 1 },
      action: { type: "compact" },
    });
  }

  /** A copy of the whole state. Cheap: stored objects are shared. */
  snapshot(): CoreSnapshot {
    return this.#state.core.snapshot();
  }

  /**
   * Puts a copy back; open watches end. With `continue` time goes on: the revision is higher than
   * ever. With `rollback` the revision jumps back too, as after a restore of etcd: clients come
   * with versions of the future.
   */
  restore(snapshot: CoreSnapshot, mode: "continue" | "rollback" = "continue"): void {
    this.watches.end();
    this.#state.core.restore(snapshot, mode);
    this.#state.barriers.check();
  }

  /**
   * Lists and watches of the resource (`*` = all) are answered with 429 "storage is
   * (re)initializing" for so long.
   */
  unready(resource: string, ms: number): void {
    demandMilliseconds(ms, "ms");
    this.#state.outages.unready(resource, ms);
  }

  /**
   * As a restart: every watch ends, older versions are too old for watches, and for `unreadyMs`
   * lists and watches get 429.
   */
  restart(options: RestartOptions = {}): void {
    this.watches.end();
    this.compact();
    if (options.unreadyMs !== undefined) this.unready("*", options.unreadyMs);
  }

  /** Every request gets 503 and every watch ends, until `start`. */
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
  /** False spares watches: a real server's watch cache outlives a compaction of etcd. @default true */
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
