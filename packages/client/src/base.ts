/**
 * Parts of the client that the packages above it share. Exported for the packages of listwatch
 * only, whose versions move together; users get what they need from the main entry.
 *
 * @module
 */
export { createNotAListError } from "./errors/decode-errors.ts";
export { isStorageStarting } from "./errors/status.ts";
export { checkConnection } from "./http/connection.ts";
export { checkResource } from "./resource/paths.ts";
