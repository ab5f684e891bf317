import { readFile, writeFile } from "node:fs/promises";
import { stringify } from "yaml";

/** Name of the cluster, the user and the context in a written kubeconfig. */
const contextName = "fake";
// The first line of each written file: only such files are written over.
const mark = "# Written by fake-apiserver";

/**
 * Writes a kubeconfig whose only context is the server at the URL. Rejects when there is a file
 * that this did not write.
 */
export async function writeKubeconfig(path: string, url: string): Promise<void> {
  const existing = await readFile(path, "utf8").catch(() => undefined);
  if (existing !== undefined && existing !== "" && !existing.startsWith(mark)) {
    throw new Error(`${path} exists and was not written by fake-apiserver`);
  }
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": contextName,
    clusters: [{ name: contextName, cluster: { server: url } }],
    users: [{ name: contextName, user: {} }],
    contexts: [{ name: contextName, context: { cluster: contextName, user: contextName } }],
  };
  // 0600: kubectl warns of kubeconfigs that others can read.
  await writeFile(path, `${mark}\n${stringify(config)}`, { mode: 0o600 });
}
