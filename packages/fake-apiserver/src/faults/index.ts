export type { WaitOptions, Barriers } from "./control/barriers.ts";
export type { BookmarkPolicy, BookmarkSettings } from "./control/bookmark-policy.ts";
export { ControlInputError } from "./inputs/control-input-error.ts";
export { ConnectionResetError } from "./stream/connection-reset-error.ts";
export { withControlEndpoints, type ControlledServer } from "./endpoints/control-endpoints.ts";
export type { WatchListMode } from "./control/control-hooks.ts";
export type {
  CompactOptions,
  ServerControl,
  ExpireMidListOptions,
  RestartOptions,
} from "./control/server-control.ts";
export type { CoreSnapshot, LoggedEvent } from "./control/controlled-core.ts";
export type { FaultAction, IllegalAction } from "./actions/fault-actions.ts";
export type { FaultRule, FaultTiming } from "./control/fault-rule.ts";
export type { ActiveFault, FaultRules } from "./control/fault-rules.ts";
export { UnconsumedFaultsError } from "./control/fault-rules.ts";
export type { IllegalControl } from "./control/illegal-control.ts";
export type { FrontEnd } from "./control/front-end.ts";
export type { FrontEnds } from "./control/front-ends.ts";
export type { MatchableRequest, OneOf, RequestMatch } from "./inputs/request-match.ts";
export type { RecordedRequest, RequestRecorder } from "./control/request-recorder.ts";
export type { StatusFault } from "./inputs/status-fault.ts";
export type { BodyPosition } from "./stream/body-position.ts";
export type { CutPosition } from "./inputs/cut-position.ts";
export type { StreamShape } from "./inputs/stream-shape.ts";
export type { EventMatch } from "./stream/event-match.ts";
export type { WatchControl } from "./control/watch-control.ts";
export type { WatchRegistry } from "./control/watch-registry.ts";
export type { FetchHandler } from "../api/fetch-handler.ts";
