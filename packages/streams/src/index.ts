/**
 * Many collections over one connection to a page: a server sends the changes of its informers as
 * server-sent events, and a page feeds informers with them.
 *
 * @module
 */
export type { StreamedInformer } from "./log/collection-log.ts";
export type { Grant } from "./access/grant.ts";
export {
  reviewAccess,
  type AccessUser,
  type ReviewAccessOptions,
} from "./access/subject-access.ts";
export {
  eventStreamSource,
  type EventStreamSource,
  type EventStreamSourceOptions,
  type StreamRequestInit,
} from "./page/event-stream-source.ts";
export { StreamError } from "./page/stream-error.ts";
export type {
  EventStreamOptions,
  ObjectOf,
  StreamedInformers,
} from "./server/event-stream-options.ts";
export {
  toEventStream,
  type EventStreamHandler,
  type EventStreamStatus,
} from "./server/to-event-stream.ts";
