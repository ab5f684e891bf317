/**
 * Serves the fake API server on a TCP port of Deno: `@listwatch/fake-apiserver/deno`.
 *
 * @module
 */
export * from "@listwatch/fake-apiserver/deno";
