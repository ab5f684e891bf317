import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const command = fileURLToPath(
  new URL("../../packages/fake-apiserver/src/adapters/node-cli.ts", import.meta.url),
);
/** Node, also when the test runs on Deno or Bun. */
const node = "Deno" in globalThis || "Bun" in globalThis ? "node" : process.execPath;

/** The fake API server over TLS, which accepts its authority's certificates and one token. */
export interface TlsCluster extends AsyncDisposable {
  readonly server: string;
  /** Each in base64. */
  readonly data: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly token: string;
  /** Path of the kubeconfig that the server wrote. */
  readonly kubeconfig: string;
}

interface Written {
  readonly clusters: readonly [
    { cluster: { server: string; "certificate-authority-data": string } },
  ];
  readonly users: readonly [
    { user: { "client-certificate-data": string; "client-key-data": string } },
  ];
}

/** Starts the server in a Node process, so that every runtime meets the same one. */
export async function startTlsCluster(): Promise<TlsCluster> {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-cluster-"));
  const kubeconfig = join(folder, "kubeconfig");
  const token = "token-of-the-tests";
  const options = ["--port", "0", "--tls", "--token", token, "--kubeconfig", kubeconfig];
  const child = spawn(node, ["--conditions=@listwatch/source", command, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("close", (code) => reject(new Error(`The server ended with ${String(code)}`)));
  });
  const { clusters, users } = parse(readFileSync(kubeconfig, "utf8")) as Written;
  const [{ cluster }] = clusters;
  const [{ user }] = users;
  return {
    server: cluster.server,
    data: {
      ca: cluster["certificate-authority-data"],
      cert: user["client-certificate-data"],
      key: user["client-key-data"],
    },
    token,
    kubeconfig,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes a kubeconfig of `kubeconfigs` for the server as `~/.kube/config` of a home folder. */
export function writeKubeconfig(
  name: string,
  home: string,
  { server, data, token }: TlsCluster,
): void {
  const values = new Map([
    ["<SERVER>", server],
    ["<CA_DATA>", data.ca],
    ["<CERT_DATA>", data.cert],
    ["<KEY_DATA>", data.key],
    ["<TOKEN>", token],
  ]);
  let text = readFileSync(join(import.meta.dirname, "kubeconfigs", `${name}.yaml`), "utf8");
  for (const [mark, value] of values) text = text.replaceAll(mark, value);
  writeFile(join(home, ".kube/config"), text);
  const profile = join(home, ".minikube/profiles/minikube");
  writeFile(join(home, ".minikube/ca.crt"), atob(data.ca));
  writeFile(join(profile, "client.crt"), atob(data.cert));
  writeFile(join(profile, "client.key"), atob(data.key));
}

/** Writes a file and creates its folders. */
export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
