import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";

/** Name of the cluster, the user and the context in a written kubeconfig. */
const contextName = "fake";

/** Writes a kubeconfig whose only context is the server at the URL. An existing file is replaced. */
export async function writeKubeconfig(path: string, url: string): Promise<void> {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": contextName,
    clusters: [{ name: contextName, cluster: { server: url } }],
    users: [{ name: contextName, user: {} }],
    contexts: [{ name: contextName, context: { cluster: contextName, user: contextName } }],
  };
  // 0600: kubectl warns of kubeconfigs that others can read.
  await writeFile(path, stringify(config), { mode: 0o600 });
}
