/**
 * Everything between a program and a Kubernetes API server: resources, errors, lists, watches and
 * writes over `fetch`.
 *
 * @module
 */
export { checkedServer } from "./connection/server-address.ts";
export { DecodeError, NotAListError } from "./errors/decode-errors.ts";
export {
  isNetworkError,
  NetworkError,
  networkErrorFrom,
  type NetworkErrorKind,
} from "./errors/network-error.ts";
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isNotFound,
  isStatusError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  retryAfterMs,
  StatusError,
  type StatusErrorOptions,
} from "./errors/status-error.ts";
export { isStatus, type Status, type StatusCause, type StatusReason } from "./errors/status.ts";
export { readBatches } from "./http/body.ts";
export { statusErrorFrom } from "./http/error-response.ts";
export type {
  Decoder,
  ListDecoder,
  ListDecoderOptions,
  ObjectIdentity,
  ReuseFunction,
  WatchDecoder,
} from "./json/decoder.ts";
export { jsonDecoder, type JsonDecoderOptions } from "./json/json-decoder.ts";
export type {
  BookmarkEvent,
  ErrorEvent,
  ListMeta,
  ListOptions,
  ObjectEvent,
  ResourceVersionMatch,
  WatchEvent,
  WatchOptions,
} from "./resource/list-watch.ts";
export {
  defineResource,
  type Resource,
  type ResourceReference,
  type ResourceTypes,
} from "./resource/resource.ts";
