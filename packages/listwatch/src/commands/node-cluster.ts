import type { Connection } from "@listwatch/client";
import { UsageError } from "./node-usage-error.ts";

/** Cluster of a command. */
export interface ClusterChoice {
  /** Name of a context of the kubeconfig. */
  readonly context?: string | undefined;
  /** Address of an API server, instead of a kubeconfig. */
  readonly server?: string | undefined;
}

/**
 * Connects to the cluster of a command's options. Only loads the modules for this way, because the
 * first output waits for them.
 *
 * @throws {UsageError} for an invalid address, {ConfigError} for a missing kubeconfig or context
 */
export async function connectTo(
  { context, server }: ClusterChoice,
  usage: string,
): Promise<Connection> {
  if (server === undefined) {
    const { connect } = await import("../connection/node-connect.ts");
    return connect({ context });
  }
  const { createConnection } = await import("@listwatch/client");
  try {
    return createConnection({ server });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage, {
      cause: error,
    });
  }
}
