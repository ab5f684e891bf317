/** Runs the operator in the README of webhooks, with a fake API server that calls it over TLS. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { kubeconfigFor, problemOf } from "../install/run-program.ts";
import { fencesIn } from "../support/fences.ts";
import { freePort } from "../support/free-port.ts";

const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
const labels = { app: "web" };
const deployment = {
  metadata: { name: "web" },
  spec: {
    replicas: 11,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
  },
};

/** Returns the problem of the operator; undefined if it refuses a Deployment. */
export async function problemOfWebhooks(
  command: readonly string[],
  cwd: string,
): Promise<string | undefined> {
  const port = await freePort();
  const server = new FakeApiServer({
    objects: ["default", "operators"].map(namespace),
    webhooks: { services: { "operators/my-operator": `https://127.0.0.1:${port}` } },
  });
  const listener = await listen(server, { port: 0 });
  const [file, kubeconfig] = [`operator-${port}.ts`, join(cwd, `kubeconfig-${port}`)];
  writeFileSync(join(cwd, file), operatorOnPort(port));
  writeFileSync(kubeconfig, kubeconfigFor(listener.url));
  const env = { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: "1", FORCE_COLOR: undefined };
  const ended = new AbortController();
  let isRefused = false;
  const refused = async (): Promise<void> => {
    while (!isRefused && !ended.signal.aborted) {
      await delay(500);
      isRefused = (await createdWith(listener.url)).includes("at most 10 replicas");
    }
  };
  try {
    const problem = await problemOf([...command, file], undefined, { cwd, env }, refused());
    return isRefused ? undefined : (problem ?? "it ended before it refused a Deployment");
  } finally {
    ended.abort();
    await listener.close();
  }
}

/** The program of the README. Its ports are free, since others may run at the same time. */
function operatorOnPort(port: number): string {
  const blocks = fencesIn(readFileSync("packages/webhooks/README.md", "utf8"));
  const program = blocks.find(({ text }) => text.includes("rotatedCertificates("))?.text ?? "";
  return program
    .replace("9443", String(port))
    .replace("election: { namespace }", "election: { namespace }, server: { port: 0 }");
}

/** Returns the answer to a dry run of a create. */
async function createdWith(url: string): Promise<string> {
  const path = "/apis/apps/v1/namespaces/default/deployments?dryRun=All";
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(deployment);
  return (await fetch(`${url}${path}`, { method: "POST", headers, body })).text();
}
