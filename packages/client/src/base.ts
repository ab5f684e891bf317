/**
 * Parts of the client for the packages above it. For the packages of listwatch only, whose versions
 * move together. Users get the parts that they need from the main entry.
 *
 * @module
 */
export { createNotAListError } from "./errors/decode-errors.ts";
export { isStorageStarting } from "./errors/status.ts";
export { checkConnection } from "./http/connection.ts";
export { checkResource } from "./resource/paths.ts";
