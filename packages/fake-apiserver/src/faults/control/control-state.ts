import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { IllegalControl } from "./illegal-control.ts";
import type { ControlledCore } from "./controlled-core.ts";
import type { FaultAction } from "../actions/fault-actions.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { Outages } from "./outages.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { PodControl } from "./pod-control.ts";
import type { RequestRecorder } from "./request-recorder.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/** State shared by the parts of the server control. */
export interface ControlState {
  readonly core: ControlledCore;
  readonly recorder: RequestRecorder;
  readonly watches: WatchRegistry;
  readonly pods: PodControl;
  readonly barriers: Barriers;
  readonly faults: FaultRules<FaultAction>;
  readonly illegal: IllegalControl;
  readonly frontEnds: FrontEnds;
  readonly bookmarks: BookmarkPolicy;
  readonly outages: Outages;
}
