import type { ClusterConfig } from "@listwatch/client";
import { loadKubeconfig as loadParsed, type LoadKubeconfigOptions } from "@listwatch/client/node";

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
