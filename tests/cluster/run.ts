// Tests the library against a real kube-apiserver with etcd:
//
//   npm run test:cluster -- [--all] [--build] [--update] [--runtime NAME]... [PART...]
//
// Without the two programs it reports that and counts nothing; `--build` builds them from their Go
// modules, once. `--update kinds`, `--update webhooks` and `--update deploy` write recordings
// (kinds/check-kinds.ts, conformance/admission, examples/deploy). `--all` sends all mutations
// (mutations/check-mutations.ts) instead of a tenth, and random writes of all objects with five
// seeds (mutations/check-writes.ts) instead of a quarter with one. The last line is
// `N passed, N failed`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "listwatch/node";
import { admissionUser, runAdmissionChecks } from "./admission.ts";
import { runDeployChecks } from "./deploy.ts";
import { runExamples } from "./examples.ts";
import { runBootstrapChecks } from "./bootstrap.ts";
import { findBinaries, type Binaries } from "./binaries.ts";
import { runCommandChecks } from "./command.ts";
import { ControlPlane } from "./control-plane.ts";
import { runHttp2Checks } from "./http2.ts";
import { kindKubeconfig } from "./kubeconfig.ts";
import { recorder, runKindChecks } from "./kinds/check-kinds.ts";
import { startKubelet } from "./kubelet.ts";
import { runManagerFaults } from "./manager-faults.ts";
import { runManifestChecks } from "./manifests.ts";
import { runMutationChecks } from "./mutations/check-mutations.ts";
import { runWriteChecks } from "./mutations/check-writes.ts";
import { runNamespaceController } from "./namespace-controller.ts";
import { describe } from "./programs/checks.ts";
import type { ClusterInfo } from "./programs/cluster.ts";
import { runOpenApiChecks } from "./openapi.ts";
import { runProtobufChecks } from "./protobuf.ts";
import { runProgram, type Counts } from "./run-program.ts";
import { runRingChecks } from "./ring.ts";
import { runtimes } from "./runtimes.ts";
import { runShardChecks } from "./shards.ts";
import { runTestingChecks } from "./testing.ts";
import { runStorm, stormUsers, type StormOptions } from "./storm.ts";

// All of them take several minutes of two cores.
const mutationsOfCheck = 10;
const objectsOfCheck = 4;
const seedsOfAll = [1, 2, 3, 4, 5];

const parts: Readonly<Record<string, (stage: StormOptions) => Promise<void>>> = {
  bootstrap: async ({ connection }) => add(await runBootstrapChecks(connection)),
  openapi: async ({ connection }) => add(await runOpenApiChecks(connection)),
  kinds: async () => {
    if (typeof binaries === "string") return;
    // Some of its objects change what a server does with later ones.
    await using plane = await ControlPlane.start(binaries, [recorder]);
    add(await runKindChecks(plane, binaries.version, values.update));
  },
  mutations: async () => {
    if (typeof binaries === "string") return;
    await using plane = await ControlPlane.start(binaries, [recorder]);
    add(await runMutationChecks(plane, values.all ? 1 : mutationsOfCheck));
  },
  writes: async () => {
    if (typeof binaries === "string") return;
    await using plane = await ControlPlane.start(binaries, [recorder]);
    const [seeds, every] = values.all ? [seedsOfAll, 1] : [[1], objectsOfCheck];
    add(await runWriteChecks(plane, seeds, every));
  },
  webhooks: async ({ plane }) => {
    add(await runAdmissionChecks(plane, binariesVersion(), values.update));
  },
  verbs: (stage) => runOnEach("verbs", stage),
  "client-node": (stage) => runOnEach("client-node", stage),
  operators: (stage) => runOnEach("operators", stage),
  manager: async (stage) => {
    await runOnEach("manager", stage);
    add(await runManagerFaults(stage));
  },
  "webhooks-operator": (stage) => runOnEach("webhooks-operator", stage),
  credentials: (stage) => runOnEach("credentials", stage),
  command: async ({ connection, environment, plane }) => {
    const kubeconfig = environment["KUBECONFIG"] ?? "";
    add(await runCommandChecks({ kubeconfig, connection, token: plane.tokenOf("reader") }));
  },
  protobuf: async ({ connection }) => add(await runProtobufChecks(connection)),
  http2: async ({ environment, plane }) => {
    add(await runHttp2Checks(environment["KUBECONFIG"] ?? "", plane));
  },
  examples: async ({ environment }) => add(await runExamples(environment)),
  shards: async ({ connection, plane }) => add(await runShardChecks(connection, plane)),
  ring: async (stage) => add(await runRingChecks(stage)),
  manifests: async ({ connection }) => add(await runManifestChecks(connection)),
  deploy: async ({ environment, plane }) => {
    add(await runDeployChecks(plane, environment["KUBECONFIG"] ?? "", values.update));
  },
  testing: async () => {
    if (typeof binaries !== "string") add(await runTestingChecks(binaries));
  },
  storm: async (stage) => add(await runStorm(stage)),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    build: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
    runtime: { type: "string", multiple: true, default: Object.keys(runtimes) },
  },
});
checkKnown("part", positionals, Object.keys(parts));
checkKnown("runtime", values.runtime, Object.keys(runtimes));
const wanted = positionals.length === 0 ? Object.keys(parts) : positionals;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const total: Counts = { passed: 0, failed: 0 };
const binaries = findBinaries({ build: values.build });
if (typeof binaries === "string") console.log(binaries);
else await runAll(binaries);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runAll(found: Binaries): Promise<void> {
  const started = performance.now();
  await using plane = await ControlPlane.start(found, [
    { name: "reader" },
    admissionUser,
    ...stormUsers,
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${found.version}, ready after ${seconds} s`);
  const kubeconfig = join(plane.folder, "kubeconfig");
  writeFileSync(kubeconfig, kindKubeconfig(plane), { mode: 0o600 });
  const environment = { KUBECONFIG: kubeconfig };
  await using connection = await connect({ paths: [kubeconfig] });
  const stop = new AbortController();
  const controller = runNamespaceController(connection, stop.signal);
  const { issuer, pki, server } = plane;
  const kubeletPort = await startKubelet(pki);
  const [node, token] = [process.execPath, plane.tokenOf("reader")];
  for (const part of wanted) {
    const folder = join(plane.folder, part);
    mkdirSync(folder);
    const infos = values.runtime.map((runtime): ClusterInfo => {
      return { runtime, folder, issuer, pki, server, kubeletPort, token, node };
    });
    const partStarted = performance.now();
    try {
      await parts[part]?.({ plane, connection, infos, environment });
    } catch (error) {
      console.log(`FAIL ${part}: ${describe(error)}`);
      total.failed++;
    }
    console.log(`--- ${part}: ${((performance.now() - partStarted) / 1000).toFixed(0)} s`);
  }
  stop.abort();
  await controller;
}

function binariesVersion(): string {
  return typeof binaries === "string" ? "" : binaries.version;
}

/** Runs a program on all runtimes concurrently. */
async function runOnEach(name: string, { environment, infos }: StormOptions): Promise<void> {
  const programs = infos.map((info) => {
    const folder = join(info.folder, info.runtime);
    mkdirSync(folder);
    return runProgram(name, { ...info, folder }, environment);
  });
  for (const counts of await Promise.all(programs)) add(counts);
}

function add({ passed, failed }: Counts): void {
  total.passed += passed;
  total.failed += failed;
}

function checkKnown(what: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    console.error(`There is no ${what} ${name}; there are ${known.join(", ")}`);
    process.exit(1);
  }
}
