/**
 * Connections to real clusters, for programs on Node, Deno and Bun: TLS with custom certificates,
 * proxies, kubeconfigs with their credentials, and the in-cluster configuration of pods.
 *
 * @module
 */
export {
  createClusterConnection,
  type ClusterConnection,
  type ClusterConnectionOptions,
} from "./node-cluster-connection.ts";
export { inClusterConfig, isInCluster, type InClusterOptions } from "./node-in-cluster.ts";
export { kubeconfigPaths, loadKubeconfig, type LoadKubeconfigOptions } from "./node-kubeconfig.ts";
export {
  nodeTransport,
  type Transport,
  type TransportOptions,
} from "../transport/node-transport.ts";
export type { TlsOptions, TlsSource } from "../transport/tls-options.ts";
