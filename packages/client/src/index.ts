/**
 * Everything between a program and a Kubernetes API server: resources, errors, lists, watches and
 * writes over `fetch`.
 *
 * @module
 */
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
export {
  defineResource,
  type Resource,
  type ResourceReference,
  type ResourceTypes,
} from "./resource/resource.ts";
