import { randomBytes } from "node:crypto";
import { lstat, mkdtemp, open, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";

/** Name of the cluster, the user and the context in a written kubeconfig. */
const contextName = "fake";
// The first line of each written file: only such files are written over.
const mark = "# Written by fake-apiserver";

/** How a client reaches a server, and what it shows. */
export interface KubeconfigContents {
  readonly url: string;
  /** The certificate of the authority to trust, as PEM. */
  readonly authority?: string | undefined;
  /** PEM both. */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
  readonly token?: string | undefined;
}

/** A kubeconfig that was written without having been asked for. */
export interface TemporaryKubeconfig {
  readonly path: string;
  /** Removes the file and its folder. */
  remove(): Promise<void>;
}

/**
 * Writes a kubeconfig whose only context is the server into a new folder that only this user can
 * open.
 */
export async function writeTemporaryKubeconfig(
  contents: KubeconfigContents,
): Promise<TemporaryKubeconfig> {
  const folder = await mkdtemp(join(tmpdir(), "fake-apiserver-"));
  const path = join(folder, "kubeconfig");
  await create(path, contents);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Writes a kubeconfig whose only context is the server. Rejects when there is a file that this did
 * not write, or a link. The file is made beside its place and moved there, so that a link that
 * appears in between is replaced and not followed.
 */
export async function writeKubeconfig(path: string, contents: KubeconfigContents): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats !== undefined && !stats.isFile()) {
    throw new Error(`${path} is a ${stats.isSymbolicLink() ? "link" : "folder or device"}`);
  }
  const existing = stats === undefined ? "" : await readFile(path, "utf8");
  if (existing !== "" && !existing.startsWith(mark)) {
    throw new Error(`${path} exists and was not written by fake-apiserver`);
  }
  const written = `${path}.${randomBytes(8).toString("hex")}`;
  await create(written, contents);
  await rename(written, path).catch(async (error: unknown) => {
    await rm(written, { force: true });
    throw error;
  });
}

/** Creates the file; rejects when there is anything at the path. */
async function create(path: string, contents: KubeconfigContents): Promise<void> {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": contextName,
    clusters: [{ name: contextName, cluster: clusterOf(contents) }],
    users: [{ name: contextName, user: userOf(contents) }],
    contexts: [{ name: contextName, context: { cluster: contextName, user: contextName } }],
  };
  // 0600: kubectl warns of kubeconfigs that others can read.
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(`${mark}\n${stringify(config)}`);
  } finally {
    await file.close();
  }
}

function clusterOf({ authority, url }: KubeconfigContents): object {
  if (authority !== undefined) {
    return { server: url, "certificate-authority-data": base64(authority) };
  }
  // Some clients, @kubernetes/client-node among them, take no plain HTTP without it.
  return { server: url, "insecure-skip-tls-verify": true };
}

function userOf({ client, token }: KubeconfigContents): object {
  return {
    ...(client && {
      "client-certificate-data": base64(client.certificate),
      "client-key-data": base64(client.key),
    }),
    ...(token !== undefined && { token }),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
