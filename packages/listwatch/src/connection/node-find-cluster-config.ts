import { stat } from "node:fs/promises";
import { ConfigError, type ClusterConfig } from "@listwatch/client";
import {
  inClusterConfig,
  isInCluster,
  kubeconfigPaths,
  loadKubeconfig as loadParsed,
  type LoadKubeconfigOptions,
} from "@listwatch/client/node";
import {
  hasCode,
  anObject,
  aString,
  someStrings,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Options of {@link findClusterConfig}. */
export interface FindClusterConfigOptions {
  /** Name of a context of the kubeconfig. @default its current-context */
  readonly context?: string | undefined;
  /** Paths of kubeconfig files. @default those in `KUBECONFIG`, otherwise `~/.kube/config` */
  readonly paths?: readonly string[] | undefined;
  /**
   * Environment variables: `KUBECONFIG`, `HOME`, `KUBERNETES_SERVICE_HOST` and
   * `KUBERNETES_SERVICE_PORT`.
   *
   * @default the environment of the process
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Checks of {@link FindClusterConfigOptions}. */
export const findTable: OptionsOf<FindClusterConfigOptions> = {
  context: aString,
  paths: someStrings,
  environment: anObject,
};

/**
 * Finds the cluster that kubectl would use, without a request: that of the files in `KUBECONFIG`,
 * otherwise of `~/.kube/config`, otherwise that of the pod in which the program runs.
 *
 * Requested paths, in `paths` or in `KUBECONFIG`, are never skipped for another cluster: one of
 * them must exist. An empty file counts as missing.
 *
 * @throws {ConfigError} if there is no cluster, with the paths that were tried; if the context does
 *   not exist, with the existing ones; if a file is unreadable or invalid, with file and entry, or
 *   file and line
 */
export async function findClusterConfig(
  options: FindClusterConfigOptions = {},
): Promise<ClusterConfig> {
  checkOptions(options, findTable);
  const { context, environment = globalThis.process.env, paths } = options;
  const places = paths ?? kubeconfigPaths(environment);
  const isAsked = paths !== undefined || (environment["KUBECONFIG"] ?? "") !== "";
  const found = await Promise.all(places.map(lookAt));
  if (found.includes("text")) return loadKubeconfig({ paths: places, context });
  const missing = describeMissing(places, found);
  if (isAsked) {
    const asker = paths === undefined ? " (KUBECONFIG)" : "";
    throw new ConfigError(`Cannot find a kubeconfig: ${missing}${asker}`);
  }
  if (!isInCluster(environment)) {
    throw new ConfigError(
      `Cannot find a cluster: KUBECONFIG is not set, ${missing}, and this is no pod, since KUBERNETES_SERVICE_HOST is not set`,
    );
  }
  if (context !== undefined) {
    throw new ConfigError(
      `Cannot use the context "${context}": ${missing}; a pod's own cluster has no contexts`,
    );
  }
  return inClusterConfig({ environment });
}

/** Content of a path. */
type Place = "text" | "empty" | "missing";

/** An unreadable path counts as text, so that reading it reports the reason. */
async function lookAt(path: string): Promise<Place> {
  try {
    return (await stat(path)).size > 0 ? "text" : "empty";
  } catch (error) {
    return hasCode(error, "ENOENT") ? "missing" : "text";
  }
}

/** Returns a list such as `there is no a, no b, c is empty`. */
function describeMissing(paths: readonly string[], places: readonly Place[]): string {
  const missing = paths.filter((_, index) => places[index] === "missing");
  const empty = paths
    .filter((_, index) => places[index] === "empty")
    .map((path) => `${path} is empty`);
  const parts = missing.length === 0 ? empty : [`there is no ${missing.join(", no ")}`, ...empty];
  return parts.join(", ");
}

/**
 * Reads the kubeconfig files that kubectl would read, as YAML unless `parse` is given, and resolves
 * one of their contexts. Missing files are skipped, as by kubectl.
 *
 * @throws {ConfigError} if there is no file, or one is unreadable or invalid
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<ClusterConfig> {
  if (options.parse !== undefined) return loadParsed(options);
  // Loaded on demand: programs in pods do not use it.
  const { parseKubeconfig } = await import("./parse-kubeconfig.ts");
  return loadParsed({ ...options, parse: parseKubeconfig });
}
