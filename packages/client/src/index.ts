/**
 * Everything between a program and a Kubernetes API server: resources, errors, lists, watches and
 * writes over `fetch`.
 *
 * @module
 */
export { createConnection, type ConnectionConfig } from "./connection/create-connection.ts";
export { CredentialsError } from "./errors/credentials-error.ts";
export { DecodeError, NotAListError } from "./errors/decode-errors.ts";
export { isNetworkError, NetworkError, networkErrorFrom } from "./errors/network-error.ts";
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
} from "./errors/status-error.ts";
export { isStatus, type Status, type StatusReason } from "./errors/status.ts";
export type { Connection, FetchFunction } from "./http/connection.ts";
export type { Decoder, ReuseFunction } from "./json/decoder.ts";
export { jsonDecoder } from "./json/json-decoder.ts";
export type { ListMeta, ListOptions, WatchEvent, WatchOptions } from "./resource/list-watch.ts";
export type { ApplyConfiguration, Draft, Wire } from "./resource/object-forms.ts";
export { defineResource, type Resource, type ResourceReference } from "./resource/resource.ts";
export { createClient, type Client, type ClientOptions } from "./verbs/client.ts";
export {
  Collection,
  type CollectionOptions,
  type ListContext,
  type RequestContext,
} from "./verbs/collection.ts";
export type { DeleteOptions, PatchOptions, ResourceClient } from "./verbs/resource-client.ts";
