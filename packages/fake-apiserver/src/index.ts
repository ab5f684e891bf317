/**
 * An in-memory Kubernetes API server that is honest about the protocol: lists, watches, writes,
 * discovery and custom resources as a recorded real server answers them, and a server control that
 * makes it fail on demand.
 *
 * {@link FakeApiServer} is a `fetch` handler, so it runs wherever `Request` and `Response` exist:
 * in the process of a test, in a page or a worker. `@listwatch/fake-apiserver/node`, `/deno` and
 * `/bun` let it listen on a port.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const server = new FakeApiServer({ seed: 1 });
 * const watch = await server.fetch(new Request("http://localhost/api/v1/pods?watch=1"));
 * await server.fetch(
 *   new Request("http://localhost/api/v1/namespaces/default/pods", {
 *     method: "POST",
 *     headers: { "content-type": "application/json" },
 *     body: JSON.stringify({ metadata: { name: "web" } }),
 *   }),
 * );
 * server.control.watches.end();
 * const lines = await watch.text();
 * if (lines !== "") throw new Error("An ended watch drops what waits");
 * ```
 *
 * @module
 */
export {
  type Clock,
  InvalidOptionsError,
  type JsonObject,
  type Log,
} from "@listwatch/core-fifo/base";
export { FakeApiServer } from "./server/fake-api-server.ts";
export type { ControllerName } from "./controllers/controller-name.ts";
export type { PodHook, SimulatedPodStatus } from "./controllers/pod-hook.ts";
export type {
  FakeApiServerOptions,
  LimitSettings,
  ServiceOptions,
  WatchSettings,
} from "./server/options.ts";
export type { WebhookFetch, WebhookSettings } from "./webhooks/webhook-settings.ts";
export type { ApiObject, ApiObjectMeta, StatusDetails } from "./api/api-object.ts";
export type { Fetch, FetchHandler, Verb } from "./api/request.ts";
export type {
  AccessDecision,
  AccessRequest,
  Authorization,
  UserInfo,
  UserSettings,
} from "./api/access.ts";
export { ApiError, type ApiErrorOptions } from "./api/api-error.ts";
export type {
  AdmissionMatch,
  AdmissionObject,
  AdmissionOperation,
  AdmissionPatchOperation,
  AdmissionPlugin,
  AdmissionRequest,
  AdmissionVerdict,
} from "./admission/admission-plugin.ts";
export type {
  CompactOptions,
  CoreSnapshot,
  EventLogOptions,
  ExpireMidListOptions,
  IllegalControl,
  LoggedEvent,
  RestartOptions,
  ServerControl,
  WatchListMode,
} from "./control/server-control.ts";
export type {
  BodyPosition,
  CutPosition,
  EventMatch,
  FaultAction,
  IllegalAction,
  StatusFault,
  StreamShape,
} from "./control/fault-action.ts";
export type { ActiveFault, FaultRule, FaultRules, FaultTiming } from "./control/fault-rules.ts";
export type {
  MatchableRequest,
  OneOf,
  RecordedRequest,
  RequestMatch,
  RequestRecorder,
} from "./control/requests.ts";
export type { BookmarkSettings, Bookmarks, OpenWatches, WatchControl } from "./control/watches.ts";
export type { BarrierOptions, Barriers } from "./control/barriers.ts";
export type { FrontEnd, FrontEnds } from "./control/front-ends.ts";
export type {
  LoggedContainer,
  PodControl,
  PodLog,
  PodLogOptions,
  PodLogRequest,
  PodLogSource,
} from "./control/pods.ts";
export {
  ConnectionResetError,
  ControlInputError,
  UnconsumedFaultsError,
} from "./control/control-errors.ts";
export {
  withControlEndpoints,
  type ControlledServer,
} from "./faults/endpoints/control-endpoints.ts";
export { Replay } from "./recordings/replay.ts";
export type { Divergence, ReplayOptions } from "./recordings/replay-options.ts";
export { readRecording } from "./recordings/recording.ts";
export { RecordingError } from "./recordings/recording-error.ts";
export type {
  EndLine,
  ListLine,
  ObjectLine,
  RecordedChange,
  RecordedResource,
  Recording,
  RecordingHeader,
  RecordingLine,
} from "./recordings/format.ts";
