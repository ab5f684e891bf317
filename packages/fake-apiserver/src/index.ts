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
export * from "./faults/index.ts";
export { FakeApiServer, type FakeApiServerOptions } from "./server/fake-api-server.ts";
export type { ApiObject, ApiObjectMeta } from "./api/resource-definition.ts";
export {
  ApiError,
  type ApiErrorOptions,
  type StatusCause,
  type StatusDetails,
} from "./api/api-error.ts";
