import type { ApiObject } from "../api/api-object.ts";
import type { Barriers } from "./barriers.ts";
import type { FaultAction, IllegalAction } from "./fault-action.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { PodControl } from "./pods.ts";
import type { RequestMatch, RequestRecorder } from "./requests.ts";
import type { Bookmarks, OpenWatches } from "./watches.ts";

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
export interface ServerControl {
  /** Rules that break, delay or replace answers. */
  readonly faults: FaultRules<FaultAction>;
  /** The open watches. */
  readonly watches: OpenWatches;
  /** The requests that were received. */
  readonly recorder: RequestRecorder;
  /** Conditions to wait for. */
  readonly when: Barriers;
  /** Front ends with caches that lag behind. */
  readonly frontEnds: FrontEnds;
  /** The bookmarks that watches get. */
  readonly bookmarks: Bookmarks;
  /** Violations of the protocol. */
  readonly illegal: IllegalControl;
  /** The logs of pods. */
  readonly pods: PodControl;
  /** How the server answers `sendInitialEvents`. @default "supported" */
  watchList: WatchListMode;
  /** Revision of the newest write. */
  readonly revision: number;
  /**
   * Returns the effective writes since the last compaction, oldest first, to compare the state of a
   * client with.
   */
  eventLog(resource?: string, options?: EventLogOptions): readonly LoggedEvent[];
  /** Consumes a revision without a write, and returns the new one. */
  advanceRevision(): number;
  /**
   * Forgets everything older than a revision: exact lists and continue tokens from before it are
   * answered with 410, and watches from before it with an ERROR event 410. Open watches continue.
   */
  compact(options?: CompactOptions): void;
  /**
   * Answers watches of the resource (`pods`, `widgets.example.com`) from before the revision with
   * an ERROR event 410.
   *
   * @param revision oldest revision that a watch may start from
   * @throws {@link ControlInputError} for a resource the server does not serve
   */
  watchFloor(resource: string, revision: number): void;
  /** Expires the continue token of the next list that continues after page `pages` (410). */
  expireMidList(options?: ExpireMidListOptions): void;
  /** Copies the whole state. Cheap: stored objects are shared. */
  snapshot(): CoreSnapshot;
  /**
   * Restores a copy of the state; open watches end. With `continue` the revision is higher than
   * before; with `rollback` it goes back too, as after a restore of etcd, so that clients send
   * versions of the future.
   *
   * @param mode effect on the revision; `continue` by default
   * @throws {@link ControlInputError} for a snapshot of another server
   */
  restore(snapshot: CoreSnapshot, mode?: "continue" | "rollback"): void;
  /**
   * Answers lists and watches of the resource (`*` for all) with 429 "storage is (re)initializing"
   * for `ms` milliseconds.
   */
  unready(resource: string, ms: number): void;
  /**
   * Acts as a restart: every watch ends, older versions are too old for watches, and lists and
   * watches get 429 for `unreadyMs` milliseconds.
   */
  restart(options?: RestartOptions): void;
  /** Ends every watch and answers every request with 503 until `start`. */
  shutdown(): void;
  /** Ends a shutdown. */
  start(): void;
}

/**
 * How the server treats `sendInitialEvents`: `refused` is a 422 (feature gate off), `ignored` a
 * server too old to know the parameter.
 */
export type WatchListMode = "supported" | "refused" | "ignored";

/**
 * Violations of the protocol, which no real server commits. For tests that a client survives them;
 * a client that loses something because of one has no bug.
 */
export interface IllegalControl {
  /** Rules for the streams of watches. */
  readonly faults: FaultRules<IllegalAction>;
  /** Reads without a resourceVersion see the lagging cache of their front end too. @default false */
  staleReads: boolean;
}

/** One effective write in the storage: the authority that a client can be compared with. */
export interface LoggedEvent {
  /** Revision of the write: the resourceVersion of the object after it. */
  readonly revision: number;
  /** Kind of the write, as watches report it. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** `pods`, or with its group `widgets.example.com`. */
  readonly resource: string;
  /** Namespace of the object; `""` for cluster-scoped objects. */
  readonly namespace: string;
  /** Name of the object. */
  readonly name: string;
  /** The object after the write; for DELETED the last stored one with the revision of the deletion. */
  readonly object: ApiObject;
}

/** An opaque copy of the whole state of a server: objects, histories, floors, revision. */
export interface CoreSnapshot {
  /** Revision of the newest write in the copy. */
  readonly revision: number;
}

/** Options of {@link ServerControl.eventLog}. */
export interface EventLogOptions {
  /** Leaves writes out up to and including this revision. @default 0 */
  readonly after?: number | undefined;
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
  /** Lists whose token expires. @default every list */
  readonly match?: RequestMatch | undefined;
  /** Number of pages that are served before the token expires. @default 1 */
  readonly pages?: number | undefined;
}

/** Options of {@link ServerControl.restart}. */
export interface RestartOptions {
  /** Milliseconds in which lists and watches get 429. @default none */
  readonly unreadyMs?: number | undefined;
}
