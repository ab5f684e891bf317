// Runs a real kube-controller-manager against the fake API server, over TLS and protobuf, with the
// tour of kubectl that the simulated controllers pass as well. The server's hook stands in for the
// kubelet. A step of `npm run test:field`; the last line is `N passed, N failed`.
//
//   npm run test:field -- controller-manager [--kubectl PATH] [--log FILE]
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { writeKubeconfig } from "../../packages/fake-apiserver/src/adapters/node-kubeconfig.ts";
import { findBinaries } from "../cluster/binaries.ts";
import { ServerProcess } from "../cluster/server-process.ts";
import { Kubectl, kubectlVersion } from "../kubectl/kubectl.ts";
import { runSteps } from "../kubectl/run-tour.ts";
import { controllerTour } from "../kubectl/tours/controllers.ts";
import { managerSteps } from "./controller-manager/steps.ts";
import { problemsIn, unexpectedAnswers, type Answered } from "./controller-manager/problems.ts";

const { values } = parseArgs({
  options: { kubectl: { type: "string", default: "kubectl" }, log: { type: "string" } },
});
const pki = join(import.meta.dirname, "../../packages/client/test/support/pki");
const startMs = 180_000;
const counts = { passed: 0, failed: 0 };

function note(name: string, problems: readonly string[]): void {
  counts[problems.length === 0 ? "passed" : "failed"] += 1;
  console.log(`${problems.length === 0 ? "ok  " : "FAIL"} ${name}`);
  for (const problem of problems) console.log(`       ${problem}`);
}

/** A server that leaves garbage, namespaces and workloads to the program under test. */
function createServer(): FakeApiServer {
  return new FakeApiServer({
    bootstrap: "full",
    garbageCollection: "never",
    namespaceDeletion: "never",
    // Pods start if there is any controller; the other program does not run this one.
    controllers: ["cronjobs"],
  });
}

async function run(program: string, folder: string, minor: number): Promise<void> {
  const server = createServer();
  const answered: Answered[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const response = await server.fetch(request);
    answered.push({ request, status: response.status });
    return response;
  };
  await using listener = await listen({ fetch }, { tls: true });
  const kubeconfig = join(folder, "kubeconfig");
  await writeKubeconfig(kubeconfig, {
    url: listener.url,
    authority: listener.tls?.authority,
    client: await listener.tls?.issueClientCertificate(),
  });
  const log = join(folder, "kube-controller-manager.log");
  const flags = {
    kubeconfig,
    "authentication-kubeconfig": kubeconfig,
    "authorization-kubeconfig": kubeconfig,
    // No kubelet reports that nodes are alive.
    controllers: "*,-cronjob-controller,-node-lifecycle-controller",
    "flex-volume-plugin-dir": join(folder, "plugins"),
    "root-ca-file": join(pki, "ca.crt"),
    "secure-port": "0",
    "service-account-private-key-file": join(pki, "server.key"),
    v: "2",
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const manager = new ServerProcess(program, args, log);
  const kubectl = new Kubectl(values.kubectl, folder);
  const hasAccount = async (): Promise<boolean> =>
    (await kubectl.run(["get", "serviceaccount", "default"])).code === 0;
  try {
    await manager.until(hasAccount, startMs);
    for (const tour of [controllerTour, managerSteps]) {
      const { failed, passed } = await runSteps(kubectl, tour, { folder, minor });
      counts.passed += passed;
      counts.failed += failed;
    }
  } finally {
    await manager.kill();
    if (values.log !== undefined) copyFileSync(log, values.log);
  }
  note("its log has no errors", problemsIn(readFileSync(log, "utf8")));
  note("no request of it was refused for its form", unexpectedAnswers(answered));
}

const binaries = findBinaries({ build: false });
const program = typeof binaries === "string" ? undefined : binaries.kubeControllerManager;
const version = kubectlVersion(values.kubectl);
if (program === undefined) {
  console.log(
    "not on this machine: kube-controller-manager; npm run test:cluster -- --build makes it",
  );
} else if (version === undefined) {
  console.log(`not on this machine: ${values.kubectl}`);
} else {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-controller-manager-"));
  try {
    await run(program, folder, Number(/v1\.(\d+)/.exec(version)?.[1]));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
