import type {
  CompactOptions,
  CoreSnapshot,
  EventLogOptions,
  ExpireMidListOptions,
  LoggedEvent,
  RestartOptions,
  ServerControl,
} from "../../control/server-control.ts";
import { demand, demandInteger, demandMilliseconds } from "../inputs/demand.ts";
import type { ControlState } from "./control-state.ts";
import { aBoolean, anInteger, anObject, anything, checkOptions } from "@listwatch/core-fifo/base";

/** The server control over the parts of a server: delegates to each, and combines them. */
export class ControlPanel implements ServerControl {
  readonly faults: ServerControl["faults"];
  readonly watches: ServerControl["watches"];
  readonly recorder: ServerControl["recorder"];
  readonly when: ServerControl["when"];
  readonly frontEnds: ServerControl["frontEnds"];
  readonly bookmarks: ServerControl["bookmarks"];
  readonly illegal: ServerControl["illegal"];
  readonly pods: ServerControl["pods"];
  watchList: ServerControl["watchList"] = "supported";
  readonly #state: ControlState;

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

  get revision(): number {
    return this.#state.core.currentRevision();
  }

  eventLog(resource?: string, options: EventLogOptions = {}): readonly LoggedEvent[] {
    checkOptions(options, { after: anInteger(0) });
    return this.#state.core.eventLog(resource, options.after);
  }

  advanceRevision(): number {
    return this.#state.core.advanceRevision();
  }

  compact(options: CompactOptions = {}): void {
    checkOptions(options, { to: anything, watches: aBoolean });
    const { core } = this.#state;
    const revision = options.to ?? core.currentRevision();
    demandInteger(revision, 0, "to");
    core.compact(revision, { watches: options.watches ?? true });
  }

  watchFloor(resource: string, revision: number): void {
    demandInteger(revision, 0, "revision");
    this.#state.core.setWatchFloor(resource, revision);
  }

  expireMidList(options: ExpireMidListOptions = {}): void {
    checkOptions(options, { match: anObject, pages: anInteger(0) });
    this.faults.add({
      name: "expireMidList",
      match: { ...options.match, verb: "list" },
      when: { skip: options.pages ?? 1 },
      action: { type: "compact" },
    });
  }

  snapshot(): CoreSnapshot {
    return this.#state.core.snapshot();
  }

  restore(snapshot: CoreSnapshot, mode: "continue" | "rollback" = "continue"): void {
    const { core } = this.#state;
    demand(["continue", "rollback"].includes(mode), "mode", '"continue" or "rollback"', mode);
    demand(core.has(snapshot), "snapshot", "a snapshot of this server", snapshot);
    this.watches.end();
    core.restore(snapshot, mode);
    this.#state.barriers.check();
  }

  unready(resource: string, ms: number): void {
    demandMilliseconds(ms, "ms");
    this.#state.outages.unready(resource, ms);
  }

  restart(options: RestartOptions = {}): void {
    checkOptions(options, { unreadyMs: anything });
    this.watches.end();
    this.compact();
    if (options.unreadyMs !== undefined) this.unready("*", options.unreadyMs);
  }

  shutdown(): void {
    this.#state.outages.shutDown = true;
    this.watches.end();
  }

  start(): void {
    this.#state.outages.shutDown = false;
  }
}
