/**
 * The fake API server, an in-memory stand-in for a cluster: `@listwatch/fake-apiserver`.
 *
 * @module
 */
export * from "@listwatch/fake-apiserver";
