/**
 * Parts of the client that the packages above it share. Exported for the packages of listwatch
 * only, whose versions move together; users get what they need from the main entry.
 *
 * @module
 */
export { networkErrorFrom } from "./errors/network-error.ts";
export { parseRetryAfter } from "./errors/retry-after.ts";
export { isExpired, isTooLargeResourceVersion } from "./errors/status-error.ts";
export { isStatus } from "./errors/status.ts";
export { checkPathSegment } from "./resource/paths.ts";
