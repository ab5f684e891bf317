import type { FaultAction, IllegalAction } from "../../control/fault-action.ts";
import type { IllegalControl } from "../../control/server-control.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { ControlledCore } from "./controlled-core.ts";
import type { FrontEndRouter } from "./front-end-router.ts";
import type { Outages } from "./outages.ts";
import type { PodLogs } from "./pod-logs.ts";
import type { RequestLog } from "./request-log.ts";
import type { RuleList } from "./rule-list.ts";
import type { StateBarriers } from "./state-barriers.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/** The illegal faults, and the rules behind them. */
export interface IllegalState extends IllegalControl {
  readonly faults: RuleList<IllegalAction>;
}

/** The parts of the server control, which each request goes through. */
export interface ControlState {
  readonly core: ControlledCore;
  readonly recorder: RequestLog;
  readonly watches: WatchRegistry;
  readonly pods: PodLogs;
  readonly barriers: StateBarriers;
  readonly faults: RuleList<FaultAction>;
  readonly illegal: IllegalState;
  readonly frontEnds: FrontEndRouter;
  readonly bookmarks: BookmarkPolicy;
  readonly outages: Outages;
}
