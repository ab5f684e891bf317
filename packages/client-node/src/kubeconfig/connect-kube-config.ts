import { createConnection, resolveKubeconfig, type ClusterConfig } from "@listwatch/client";
import {
  createClusterConnection,
  nodeTransport,
  type ClusterConnection,
  type ClusterConnectionOptions,
} from "@listwatch/client/node";
import { checkFunctions, consoleLog, guardLog, systemClock } from "@listwatch/core-fifo/base";
import { CodedCredentials, copyKubeConfig } from "./coded-credentials.ts";
import type { KubeConfigLike } from "./kube-config-like.ts";
import { takeSnapshot, type KubeConfigSnapshot } from "./kube-config-snapshot.ts";

/** Options of {@link connectKubeConfig}. */
export interface ConnectKubeConfigOptions extends ClusterConnectionOptions {
  /** Name of a context. @default the current context of the KubeConfig */
  readonly context?: string | undefined;
}

/** Without a slash, since paths would be taken as relative to a folder that it named. */
const sourceName = "given as a KubeConfig";

/**
 * Makes a connection of a `KubeConfig` of `@kubernetes/client-node` 2.x, for Node, Deno and Bun:
 * cluster, user and context are taken as data, so that requests go through the transport and the
 * credentials of `@listwatch/client`. Connections are kept and shared, token files and certificates
 * are read again when they change, an exec plugin runs once for all requests that wait for it, and
 * credentials that the server refuses (401) are renewed once.
 *
 * For the auth-providers `oidc`, `azure` and `gcp`, and for users that an authenticator of
 * `addAuthenticator` takes, the code of the KubeConfig is asked for the credentials, and asked
 * again after 30 s and after a 401.
 *
 * It does no I/O, and takes a snapshot: what changes in the KubeConfig later has no effect. Dispose
 * of the connection to close its sockets.
 *
 * What a KubeConfig has dropped while it was loaded is not there: `tokenFile`, `as-groups`,
 * `as-uid`, `as-user-extra`, `disable-compression`, and the cluster's settings for exec plugins. An
 * HTTPS user without any credentials is logged for that reason. `loadKubeconfig` of
 * `@listwatch/client/node` reads all of it.
 *
 * @throws {ConfigError} if the context cannot be used, naming the entry and its field; for an
 *   auth-provider of another kind, naming it
 * @throws {InvalidOptionsError} if `config` is no KubeConfig, or no request could ever reach the
 *   server
 */
export function connectKubeConfig(
  config: KubeConfigLike,
  options: ConnectKubeConfigOptions = {},
): ClusterConnection {
  checkFunctions("config", config, ["exportConfig", "applyToHTTPSOptions"]);
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
