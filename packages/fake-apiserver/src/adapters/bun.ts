/**
 * Serves a fake API server on a TCP port on Bun.
 *
 * By Bun's `node:http`, not by `Bun.serve`: that one holds the head of an answer back until the
 * first byte of the body is there (oven-sh/bun pull request 33660), and a quiet watch has none.
 *
 * @module
 */
export type { FetchHandler } from "../api/request.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";
export { listen } from "./node.ts";
