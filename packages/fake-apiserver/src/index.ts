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
export { type Clock, InvalidOptionsError } from "@listwatch/core-fifo/base";
export type { WaitOptions, Barriers } from "./faults/control/barriers.ts";
export type { BookmarkPolicy, BookmarkSettings } from "./faults/control/bookmark-policy.ts";
export { ControlInputError } from "./faults/inputs/control-input-error.ts";
export { ConnectionResetError } from "./faults/stream/connection-reset-error.ts";
export {
  withControlEndpoints,
  type ControlledServer,
} from "./faults/endpoints/control-endpoints.ts";
export type { WatchListMode } from "./faults/control/control-hooks.ts";
export type {
  CompactOptions,
  ServerControl,
  ExpireMidListOptions,
  RestartOptions,
} from "./faults/control/server-control.ts";
export type { CoreSnapshot, LoggedEvent } from "./faults/control/controlled-core.ts";
export type { FaultAction, IllegalAction } from "./faults/actions/fault-actions.ts";
export type { FaultRule, FaultTiming } from "./faults/control/fault-rule.ts";
export type { ActiveFault, FaultRules } from "./faults/control/fault-rules.ts";
export { UnconsumedFaultsError } from "./faults/control/fault-rules.ts";
export type { IllegalControl } from "./faults/control/illegal-control.ts";
export type { FrontEnd } from "./faults/control/front-end.ts";
export type { FrontEnds } from "./faults/control/front-ends.ts";
export type { MatchableRequest, OneOf, RequestMatch } from "./faults/inputs/request-match.ts";
export type { RecordedRequest, RequestRecorder } from "./faults/control/request-recorder.ts";
export type { StatusFault } from "./faults/inputs/status-fault.ts";
export type { BodyPosition } from "./faults/stream/body-position.ts";
export type { CutPosition } from "./faults/inputs/cut-position.ts";
export type { StreamShape } from "./faults/inputs/stream-shape.ts";
export type { EventMatch } from "./faults/stream/event-match.ts";
export type { WatchControl } from "./faults/control/watch-control.ts";
export type { WatchRegistry } from "./faults/control/watch-registry.ts";
export type { FetchHandler } from "./api/fetch-handler.ts";
export { FakeApiServer } from "./server/fake-api-server.ts";
export type { FakeApiServerOptions, WatchSettings } from "./server/options.ts";
export type { ApiObject, ApiObjectMeta } from "./api/resource-definition.ts";
export {
  ApiError,
  type ApiErrorOptions,
  type StatusCause,
  type StatusDetails,
} from "./api/api-error.ts";
