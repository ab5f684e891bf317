/**
 * Parts of the client for the packages above it. For the packages of listwatch only, whose versions
 * move together. Users get the parts that they need from the main entry.
 *
 * @module
 */
export type { OptionsOf } from "@listwatch/core-fifo/base";
export { clusterConnectionTable } from "./credentials/cluster-config.ts";
export { createNotAListError } from "./errors/decode-errors.ts";
export { translateError } from "./errors/foreign-error.ts";
export { networkErrorFrom } from "./errors/network-error.ts";
export { parseRetryAfter } from "./errors/retry-after.ts";
export { isExpired, isTooLargeResourceVersion } from "./errors/status-error.ts";
export { isStatus, isStorageStarting } from "./errors/status.ts";
export { checkConnection } from "./http/connection.ts";
export { checkPathSegment, checkResource } from "./resource/paths.ts";
export { highHash } from "./resource/shard-selector.ts";
export { collectionsTable, listTable } from "./verbs/collection.ts";
export type { WriteObserver } from "./verbs/completed-write.ts";
export { isOwnClient, observeWrites, reconnectClient } from "./verbs/client.ts";
export { FieldTree, type WantedField } from "./json/field-tree.ts";
