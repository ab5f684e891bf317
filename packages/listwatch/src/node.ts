/**
 * Connections to real clusters, for programs on Node, Deno and Bun: `connect()` finds the cluster
 * that kubectl would use. Also exports everything of `@listwatch/client/node`, with a
 * `loadKubeconfig()` that reads YAML.
 *
 * @module
 */
export * from "@listwatch/client/node";
export { connect, type ConnectOptions } from "./connection/node-connect.ts";
export {
  findClusterConfig,
  type FindClusterConfigOptions,
} from "./connection/node-find-cluster-config.ts";
export { loadKubeconfig } from "./connection/node-find-cluster-config.ts";
