/**
 * Serves the fake API server on a TCP port of Bun: `@listwatch/fake-apiserver/bun`.
 *
 * @module
 */
export * from "@listwatch/fake-apiserver/bun";
