// The cluster of a kubeconfig. This needs a file system, so a page never loads it.
import type { Connection } from "@listwatch/client";
import { connect } from "listwatch/node";

/** A connection to the cluster of a context in `KUBECONFIG`, or in `~/.kube/config`. */
export function connectTo(context: string): Promise<Connection> {
  return connect({ context });
}
