import {
  createClusterConnection,
  type ClusterConnection,
  type ClusterConnectionOptions,
} from "@listwatch/client/node";
import {
  findClusterConfig,
  findTable,
  type FindClusterConfigOptions,
} from "./node-find-cluster-config.ts";
import { checkOptions, type OptionsOf } from "@listwatch/core-fifo/base";
import { clusterConnectionTable } from "@listwatch/client/base";

/** Options of {@link connect}. */
export interface ConnectOptions extends FindClusterConfigOptions, ClusterConnectionOptions {}

const connectTable: OptionsOf<ConnectOptions> = { ...findTable, ...clusterConnectionTable };

/**
 * Connects to the cluster that kubectl would use: that of the files in `KUBECONFIG`, otherwise of
 * `~/.kube/config`, otherwise that of the pod in which the program runs. For clients, informers and
 * electors.
 *
 * ```ts
 * import { createClient } from "listwatch";
 * import { connect } from "listwatch/node";
 *
 * export async function printPods(): Promise<void> {
 *   const connection = await connect({ context: "kind-dev" });
 *   const pods = createClient(connection).resource({
 *     group: "",
 *     version: "v1",
 *     resource: "pods",
 *   });
 *   for await (const pod of pods.items()) console.log(pod.metadata?.name);
 *   await connection[Symbol.asyncDispose]();
 * }
 * ```
 *
 * Reads the kubeconfig and sends no request: an unreachable server, or refused credentials, fail
 * with the first request. `namespace` of the connection is the option, otherwise that of the
 * context or pod, otherwise `undefined`. Credentials are renewed while the program runs. Disposal
 * closes its network connections; a program can end without it.
 *
 * On Deno it needs `--allow-env`, `--allow-read` and `--allow-net`, `--allow-run` for kubeconfigs
 * with an exec plugin, and `--allow-write` for those with the auth-provider `oidc`.
 *
 * @throws {ConfigError} like {@link findClusterConfig}
 */
export async function connect(options: ConnectOptions = {}): Promise<ClusterConnection> {
  checkOptions(options, connectTable);
  const { context, paths, environment, ...rest } = options;
  const config = await findClusterConfig({ context, paths, environment });
  return createClusterConnection(config, rest);
}
