import { createConnection, resolveKubeconfig, type ClusterConfig } from "@listwatch/client";
import {
  createClusterConnection,
  nodeTransport,
  type ClusterConnection,
  type ClusterConnectionOptions,
} from "@listwatch/client/node";
import {
  consoleLog,
  guardLog,
  systemClock,
  aString,
  having,
  checkOption,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { CodedCredentials, copyKubeConfig } from "./coded-credentials.ts";
import type { KubeConfigLike } from "./kube-config-like.ts";
import { takeSnapshot, type KubeConfigSnapshot } from "./kube-config-snapshot.ts";
import { clusterConnectionTable } from "@listwatch/client/base";

/** Options of {@link connectKubeConfig}. */
export interface ConnectKubeConfigOptions extends ClusterConnectionOptions {
  /** Name of the context to connect to. @default the current context of the KubeConfig */
  readonly context?: string | undefined;
}

/** Checks of {@link ConnectKubeConfigOptions}. */
export const connectTable: OptionsOf<ConnectKubeConfigOptions> = {
  ...clusterConnectionTable,
  context: aString,
};

/** Without a slash: a name with one would be the folder that relative paths start from. */
const sourceName = "given as a KubeConfig";

/**
 * Makes a connection from a `KubeConfig` of `@kubernetes/client-node` 2.x, for Node, Deno and Bun.
 * Cluster, user and context are read as data; requests use the transport and the credentials of
 * `@listwatch/client`. Connections are kept and shared. Token files and certificates are reread
 * when they change. An exec plugin runs once for all requests that wait for it. Credentials that
 * the server refuses (401) are renewed once.
 *
 * For the auth-providers `oidc`, `azure` and `gcp`, and for users that an authenticator of
 * `addAuthenticator` accepts, the KubeConfig's code supplies the credentials. It is called again
 * after 30 s and after a 401.
 *
 * Does no I/O and takes a snapshot: later changes of the KubeConfig have no effect. Dispose of the
 * connection to close its sockets.
 *
 * A KubeConfig drops some fields while it loads: `tokenFile`, `as-groups`, `as-uid`,
 * `as-user-extra`, `disable-compression`, and the cluster's settings for exec plugins. Therefore an
 * HTTPS user without credentials is logged. `loadKubeconfig` of `@listwatch/client/node` reads all
 * of them.
 *
 * @throws {ConfigError} if the context cannot be used, naming the entry and its field; for an
 *   unsupported auth-provider, naming it
 * @throws {InvalidOptionsError} if `config` is not a KubeConfig, or no request could ever reach the
 *   server
 */
export function connectKubeConfig(
  config: KubeConfigLike,
  options: ConnectKubeConfigOptions = {},
): ClusterConnection {
  checkOption("config", config, having("exportConfig", "applyToHTTPSOptions"));
  checkOptions(options, connectTable);
  const { context, ...connecting } = options;
  const snapshot = takeSnapshot(config, context);
  const file = { path: sourceName, document: snapshot.document };
  const cluster = resolveKubeconfig([file], { context: snapshot.context });
  if (snapshot.credentials === "code") {
    return connectWithCode(copyKubeConfig(config, snapshot.context), cluster, connecting);
  }
  warnOfNoCredentials(snapshot, cluster, connecting);
  return createClusterConnection(cluster, connecting);
}

function connectWithCode(
  config: KubeConfigLike,
  cluster: ClusterConfig,
  { clock = systemClock, namespace, program }: ClusterConnectionOptions,
): ClusterConnection {
  const credentials = new CodedCredentials(config, clock);
  const { proxy } = cluster;
  const transport = nodeTransport({ tls: () => credentials.get(), proxy, program, clock });
  const connection = createConnection({
    server: cluster.server,
    namespace: namespace ?? cluster.namespace,
    fetch: transport,
    headers: async ({ refresh }) => (await credentials.get(refresh)).headers,
  });
  return { ...connection, [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose]() };
}

function warnOfNoCredentials(
  { credentials, user }: KubeConfigSnapshot,
  { server }: ClusterConfig,
  { log = consoleLog }: ClusterConnectionOptions,
): void {
  if (credentials !== "none" || user === undefined || !server.startsWith("https:")) return;
  guardLog(log).warn("User of a KubeConfig has no credentials", {
    user,
    advice:
      "If its kubeconfig has a tokenFile, which a KubeConfig drops, read it with loadKubeconfig " +
      "of @listwatch/client/node",
  });
}
