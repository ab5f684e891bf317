import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBinaries } from "../cluster/binaries.ts";
import { ControlPlane } from "../cluster/control-plane.ts";
import { kindKubeconfig } from "../cluster/kubeconfig.ts";
import { untilSaid } from "./until-said.ts";

/**
 * Applies the manifests of a project to a real kube-apiserver with kubectl, and runs its program
 * there with the token of its service account. The program works, its webhook is called, and it has
 * no rights but those of its roles.
 *
 * @throws {Error} if a step fails; nothing happens where there is no kube-apiserver
 */
export async function checkOnCluster(
  folder: string,
  pathWith: (node: string) => string,
): Promise<void> {
  const binaries = findBinaries({ build: false });
  if (typeof binaries === "string") return console.log(`       ${binaries}`);
  await using plane = await ControlPlane.start(binaries);
  const admin = join(plane.folder, "admin.kubeconfig");
  writeFileSync(admin, kindKubeconfig(plane));
  const kubectl = (args: readonly string[], input?: string): string =>
    execFileSync("kubectl", ["--kubeconfig", admin, ...args], { encoding: "utf8", input });
  const manifests = ["definition", "operator", "rbac"].flatMap((name) => [
    "-f",
    join(folder, `manifests/${name}.yaml`),
  ]);
  // As a user would; the second time nothing changes.
  kubectl(["apply", ...manifests]);
  const again = kubectl(["apply", ...manifests])
    .trim()
    .split("\n");
  const changed = again.filter((line) => !line.endsWith("unchanged"));
  if (changed.length > 0) throw new Error(`the second apply changes ${changed.join(", ")}`);
  kubectl(["wait", "--for=condition=Established", "crd/backuppolicies.acme.io"]);

  // There is no network of services: the server calls the webhook at its port.
  const certificates = join(plane.folder, "webhooks");
  const [certificate, key] = ["tls.crt", "tls.key"].map((name) => join(certificates, name));
  mkdirSync(certificates);
  writeFileSync(certificate!, readFileSync(join(plane.pki, "server.crt")));
  writeFileSync(key!, readFileSync(join(plane.pki, "server.key")));
  const caBundle = readFileSync(join(plane.pki, "ca.crt")).toString("base64");
  const url = "https://127.0.0.1:9443/validate/acme.io/v1/backuppolicies";
  const patch = [{ op: "replace", path: "/webhooks/0/clientConfig", value: { url, caBundle } }];
  const webhooks = "validatingwebhookconfiguration/keeper";
  kubectl(["patch", webhooks, "--type=json", `--patch=${JSON.stringify(patch)}`]);

  const token = kubectl(["create", "token", "keeper", "--namespace", "keeper"]).trim();
  const account = join(plane.folder, "account.kubeconfig");
  const { server } = plane;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "real", cluster: { server, "certificate-authority-data": caBundle } }],
    users: [{ name: "keeper", user: { token } }],
    contexts: [{ name: "real", context: { cluster: "real", user: "keeper", namespace: "keeper" } }],
    "current-context": "real",
  };
  // JSON is also YAML.
  writeFileSync(account, JSON.stringify(config));
  const log: string[] = [];
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    KUBECONFIG: account,
    WEBHOOK_CERTIFICATES: certificates,
    PATH: pathWith(process.execPath),
  };
  const child = spawn("node", ["src/main.ts"], { cwd: folder, env });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => log.push(text));
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  try {
    await untilSaid({ kubeconfig: admin, folder });
    kubectl(["wait", "--for=condition=Ready", "backuppolicies.acme.io/hello", "--timeout=60s"]);
    const spaces = { spec: { message: "  " } };
    const refused = attempt(() =>
      kubectl(["patch", "backuppolicy", "hello", "--type=merge", "-p", JSON.stringify(spaces)]),
    );
    if (!refused.includes("expected a text, got spaces only")) {
      throw new Error(`expected the webhook to refuse a message of spaces, got: ${refused}`);
    }
    kubectl(["get", "lease", "keeper", "--namespace", "keeper"]);
    child.kill("SIGTERM");
    const code = await ended;
    if (code !== 0) throw new Error(`the program ends with the exit code ${code}`);
    const events = kubectl(["get", "events", "--namespace", "default"]);
    if (!events.includes("Applied")) throw new Error(`expected an event Applied, got: ${events}`);
    const forbidden = log.join("").match(/.*(?:403|forbidden).*/i);
    if (forbidden !== null) throw new Error(`a right is missing: ${forbidden[0]}`);
  } catch (error) {
    throw new Error(`${String(error)}\n${log.join("").slice(-3000)}`, { cause: error });
  } finally {
    child.kill("SIGKILL");
  }
}

function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}
