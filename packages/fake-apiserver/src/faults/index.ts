export type { WaitOptions, Barriers } from "./barriers.ts";
export type { BookmarkPolicy, BookmarkSettings } from "./bookmark-policy.ts";
export { ControlInputError } from "./control-input-error.ts";
export { ConnectionResetError } from "./connection-reset-error.ts";
export { withControlEndpoints, type ControlledServer } from "./control-endpoints.ts";
export type { WatchListMode } from "./control-hooks.ts";
export type {
  CompactOptions,
  ServerControl,
  ExpireMidListOptions,
  RestartOptions,
} from "./server-control.ts";
export type { CoreSnapshot, LoggedEvent } from "./controlled-core.ts";
export type {
  AnswerAction,
  BeforeAction,
  BodyAction,
  BodyPosition,
  FaultAction,
  IllegalAction,
  LostAnswerAction,
} from "./fault-action.ts";
export type { ActiveFault, FaultRule, FaultRules, FaultTiming } from "./fault-rules.ts";
export { UnconsumedFaultsError } from "./fault-rules.ts";
export type { IllegalControl } from "./illegal-control.ts";
export type { FrontEnd } from "./front-end.ts";
export type { FrontEnds } from "./front-ends.ts";
export type { MatchableRequest, OneOf, RequestMatch } from "./request-match.ts";
export type { RecordedRequest, RequestRecorder } from "./request-recorder.ts";
export type { StatusFault } from "./status-fault.ts";
export type { CutPosition, StreamShape } from "./stream-shape.ts";
export type { EventMatch, WatchControl } from "./watch-control.ts";
export type { WatchRegistry } from "./watch-registry.ts";
export type { FetchHandler } from "../api/fetch-handler.ts";
