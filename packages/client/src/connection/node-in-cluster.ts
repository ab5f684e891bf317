import { readFile } from "node:fs/promises";
import { ConfigError } from "../errors/errors.ts";
import type { ClusterConfig } from "../credentials/cluster-config.ts";
import { anObject, aString, checkOptions } from "@listwatch/core-fifo/base";

/**
 * Folder in which the kubelet mounts the service account: k8s.io/client-go, rest:
 * `InClusterConfig`.
 */
const defaultFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Options of {@link inClusterConfig}. */
export interface InClusterOptions {
  /**
   * Folder with `token`, `ca.crt` and `namespace`.
   *
   * @default "/var/run/secrets/kubernetes.io/serviceaccount"
   */
  readonly folder?: string | undefined;
  /**
   * Environment variables to read: `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`, the
   * address of the API server.
   *
   * @default the environment of the process
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Whether the program runs in a pod: the variables with the address of its API server are set.
 *
 * @param environment variables to read; by default those of the process
 */
export function isInCluster(
  environment: Readonly<Record<string, string | undefined>> = globalThis.process.env,
): boolean {
  return address(environment) !== undefined;
}

/**
 * Reads the configuration of a pod: the address from its environment, token and certificates from
 * its service account, whose files are reread as the kubelet renews them.
 *
 * On Deno it needs `--allow-env`, `--allow-read` and `--allow-net`.
 *
 * @throws {ConfigError} if the program does not run in a pod, or its pod has no service account
 */
export async function inClusterConfig(options: InClusterOptions = {}): Promise<ClusterConfig> {
  checkOptions(options, { folder: aString, environment: anObject });
  const { environment = globalThis.process.env, folder = defaultFolder } = options;
  const server = address(environment);
  if (server === undefined) {
    throw new ConfigError(
      "Cannot connect as a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set, so this is no pod",
    );
  }
  let namespace: string;
  try {
    namespace = (await readFile(`${folder}/namespace`, "utf8")).trim();
  } catch (cause) {
    throw new ConfigError(
      `Cannot connect as a pod: ${folder} holds no service account; is automountServiceAccountToken false?`,
      { cause },
    );
  }
  return {
    origin: `service account of the pod, ${folder}`,
    server,
    namespace,
    ca: { file: `${folder}/ca.crt` },
    user: { tokenFile: `${folder}/token` },
  };
}

function address(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const host = environment["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = environment["KUBERNETES_SERVICE_PORT"] ?? "";
  if (host === "" || port === "") return undefined;
  return `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
