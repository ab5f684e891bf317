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
export { ControlInputError } from "./faults/inputs/control-input-error.ts";
export { ConnectionResetError } from "./faults/stream/connection-reset-error.ts";
export {
  withControlEndpoints,
  type ControlledServer,
} from "./faults/endpoints/control-endpoints.ts";
export type { ServerControl } from "./faults/control/server-control.ts";
export type { CoreSnapshot, LoggedEvent } from "./faults/control/controlled-core.ts";
export type { FaultAction } from "./faults/actions/fault-actions.ts";
export type { FaultRule } from "./faults/control/fault-rule.ts";
export type { FaultRules, ActiveFault } from "./faults/control/fault-rules.ts";
export { UnconsumedFaultsError } from "./faults/control/fault-rules.ts";
export type { FrontEnd } from "./faults/control/front-end.ts";
export type { RequestMatch } from "./faults/inputs/request-match.ts";
export type {
  LoggedContainer,
  PodControl,
  PodLog,
  PodLogOptions,
  PodLogRequest,
  PodLogSource,
} from "./faults/control/pod-control.ts";
export type { RecordedRequest } from "./faults/control/request-recorder.ts";
export type { StatusFault } from "./faults/inputs/status-fault.ts";
export type { WatchControl } from "./faults/control/watch-control.ts";
export { FakeApiServer } from "./server/fake-api-server.ts";
export type { AdmissionMatch, AdmissionOperation } from "./admission/admission-plugin.ts";
export type {
  AdmissionObject,
  AdmissionPatchOperation,
  AdmissionPlugin,
  AdmissionRequest,
  AdmissionVerdict,
} from "./admission/admission-plugin.ts";
export type { UserSettings } from "./api/access.ts";
export type { UserInfo } from "./api/access.ts";
export type { AccessDecision, AccessRequest } from "./api/access.ts";
export type { Authorization } from "./api/access.ts";
export type { FakeApiServerOptions } from "./server/options.ts";
export type { ApiObject } from "./api/api-object.ts";
export type { Fetch } from "./api/request.ts";
export { ApiError } from "./api/api-error.ts";
