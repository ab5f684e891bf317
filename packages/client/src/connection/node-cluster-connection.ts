import {
  consoleLog,
  createInvalidOptionError,
  guardLog,
  systemClock,
  type Clock,
  type Log,
  type MetricsSink,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { Connection } from "../http/connection.ts";
import { addHeaders } from "../http/headers.ts";
import { checkServer } from "../http/address.ts";
import { addWithheldNote } from "../http/withheld.ts";
import {
  clusterConfigTable,
  clusterConnectionTable,
  requiredConfig,
  type ClusterConfig,
} from "../credentials/cluster-config.ts";
import { Credentials } from "../credentials/node-credentials.ts";
import { nodeTransport } from "../transport/node-transport.ts";
import { noteOfWithheld } from "./plain-http.ts";

/** Options of {@link createClusterConnection}. */
export interface ClusterConnectionOptions {
  /** Namespace of the connection. @default the configuration's */
  readonly namespace?: string | undefined;
  /** Name and version of the program, such as `my-operator/1.2.0`, for `User-Agent`. @default none */
  readonly program?: string | undefined;
  /**
   * Time limit of one run of an exec plugin, in milliseconds.
   *
   * @default 60_000 without a terminal; none with one, where a person may be signing in
   */
  readonly execTimeoutMs?: number | undefined;
  /**
   * Called with what an exec plugin writes to its stderr while it runs, such as the request to sign
   * in.
   *
   * @default writes it to stderr, like kubectl
   */
  readonly onExecStderr?: ((text: string) => void) | undefined;
  /**
   * Handling of tokens that the auth-provider `oidc` renews. `write` keeps them in the kubeconfig,
   * like kubectl, because a refresh token may work only once. `warn` leaves the file unchanged, and
   * logs a warning if its refresh token is used up.
   *
   * @default "write"
   */
  readonly refreshTokens?: "write" | "warn" | undefined;
  /**
   * Whether a server without TLS gets the credentials, which anyone between can then read. Without
   * this option requests to such a server are anonymous, as with kubectl, unless it is on this
   * machine and no proxy is configured. Errors of refused requests name what was withheld.
   *
   * @default false
   */
  readonly sendCredentialsOverHttp?: boolean | undefined;
  /**
   * Whether requests share connections over HTTP/2, where the server offers it: hundreds of
   * informers then take one or two connections. Supported by Node alone; see
   * {@link TransportOptions.http2}.
   *
   * @default false
   */
  readonly http2?: boolean | undefined;
  /** Receives the metrics `rest_client_exec_plugin_*` of an exec plugin. @default none */
  readonly metrics?: MetricsSink | undefined;
  /** Receives a warning when a file with credentials cannot be read any more. @default consoleLog */
  readonly log?: Log | undefined;
  /** Clock for the expiry of credentials and the close of replaced connections. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** A connection with a separate transport, which disposal closes. */
export interface ClusterConnection extends Connection, AsyncDisposable {}

/**
 * Creates a connection from a configuration, with its certificates and credentials. Exec plugins
 * run and files are read when a request needs them. Credentials are renewed before they expire, and
 * when the server refuses them (401). The request is then repeated, even a write, because the
 * server has not acted on it.
 *
 * @throws {InvalidOptionsError} if no request could reach the server
 */
export function createClusterConnection(
  config: ClusterConfig,
  options: ClusterConnectionOptions = {},
): ClusterConnection {
  checkOptions(config, clusterConfigTable, requiredConfig);
  checkOptions(options, clusterConnectionTable satisfies OptionsOf<ClusterConnectionOptions>);
  const { clock = systemClock, log = consoleLog, program, namespace } = options;
  const { execTimeoutMs, http2, onExecStderr, refreshTokens } = options;
  const { server, socketPath } = readAddress(config.server);
  const credentials = new Credentials(config, {
    clock,
    log: guardLog(log),
    execTimeoutMs,
    onExecStderr,
    refreshTokens,
    metrics: options.metrics,
  });
  const isAllowed = options.sendCredentialsOverHttp === true || socketPath !== undefined;
  const withheld = isAllowed ? undefined : noteOfWithheld(config);
  const transport = nodeTransport({
    // Without TLS no certificate is needed, nor a plugin that may have one.
    tls: withheld === undefined ? () => credentials.tls() : {},
    proxy: config.proxy,
    compression: config.compression,
    socketPath,
    program,
    http2,
    clock,
  });
  return {
    server,
    namespace: namespace ?? config.namespace,
    fetch:
      withheld === undefined
        ? addHeaders(transport, (context) => credentials.headers(context), {
            // A new certificate renews credentials that no header shows.
            stateOf: () => credentials.certificate,
          })
        : addWithheldNote(transport, withheld),
    [Symbol.asyncDispose]: async () => {
      credentials.close();
      await transport[Symbol.asyncDispose]();
    },
  };
}

/**
 * Parses an address, or `unix:` with the path of a socket, such as that of `kubectl proxy
 * --unix-socket`.
 */
function readAddress(server: string): { server: string; socketPath: string | undefined } {
  if (!server.startsWith("unix:")) return { server: checkServer(server), socketPath: undefined };
  const socketPath = server.slice("unix:".length).replace(/^\/\/(?=\/)/, "");
  if (socketPath === "") throw createInvalidOptionError("server", "the path of a socket", server);
  return { server: "http://localhost", socketPath };
}
