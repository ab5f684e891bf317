import type { Connection } from "@listwatch/client";
import { UsageError } from "./node-usage-error.ts";

/** Which cluster a command is for. */
export interface ClusterChoice {
  /** Name of a context of the kubeconfig. */
  readonly context?: string | undefined;
  /** Address of an API server, in place of a kubeconfig. */
  readonly server?: string | undefined;
}

/**
 * Connects to the cluster that the options of a command name. Loads what the one way needs, since
 * the first output waits for it.
 *
 * @throws {UsageError} for an address that is none, {ConfigError} for a kubeconfig or a context
 *   that is not there
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
