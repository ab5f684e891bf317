import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { WatchListMode } from "./control-hooks.ts";
import type { ControlledCore } from "./controlled-core.ts";
import type { FaultAction, IllegalAction } from "../fault-action.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { Outages } from "./outages.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { RequestRecorder } from "./request-recorder.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/** Single settings that are read while requests are handled. */
interface ControlSettings {
  watchList: WatchListMode;
  staleReads: boolean;
}

/** What the parts of the server control share. */
export interface ControlState {
  readonly core: ControlledCore;
  readonly recorder: RequestRecorder;
  readonly watches: WatchRegistry;
  readonly barriers: Barriers;
  readonly faults: FaultRules<FaultAction>;
  readonly illegal: FaultRules<IllegalAction>;
  readonly frontEnds: FrontEnds;
  readonly bookmarks: BookmarkPolicy;
  readonly outages: Outages;
  readonly settings: ControlSettings;
  requestsInFlight: number;
}
