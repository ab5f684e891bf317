/**
 * Serves the fake API server on a TCP port of Node: `@listwatch/fake-apiserver/node`.
 *
 * @module
 */
export * from "@listwatch/fake-apiserver/node";
