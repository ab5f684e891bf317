/**
 * An in-memory Kubernetes API server that is honest about the protocol.
 *
 * @module
 */
export { type Clock, type ClockTimer, systemClock } from "./clock.ts";
export * from "./control/index.ts";
export { FakeApiServer, type FakeApiServerOptions } from "./fake-api-server.ts";
