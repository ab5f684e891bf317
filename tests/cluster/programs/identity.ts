import { createClient, type ClusterConfig, type Connection } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { clusterScoped, pem, type ClusterInfo } from "./cluster.ts";

const kind = "SelfSubjectReview";
const reviews = clusterScoped("authentication.k8s.io", "v1", "selfsubjectreviews", kind);

/** The user that the API server authenticates. */
export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

export async function whoIs(connection: Connection): Promise<Identity> {
  const client = createClient(connection, { retries: 0 });
  const { status } = await client.resource(reviews).create({ metadata: {} });
  return status.userInfo;
}

/** Same as {@link whoIs} over a temporary connection. */
export async function whoAmI(config: ClusterConfig): Promise<string> {
  await using connection = createClusterConnection(config);
  return (await whoIs(connection)).username;
}

/** A configuration for the server of this run. */
export function configOf(
  info: ClusterInfo,
  user: ClusterConfig["user"],
  more: Partial<ClusterConfig> = {},
): ClusterConfig {
  const ca = { text: pem(info, "ca.crt") };
  return { origin: "the test", server: info.server, ca, user, ...more };
}
