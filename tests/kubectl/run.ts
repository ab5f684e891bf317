// Runs a tour of kubectl commands against the fake API server and checks what they print.
//
//   npm run test:kubectl
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { findKubectl, Kubectl, printed, type Printed } from "./kubectl.ts";
import { manifests } from "./manifests.ts";
import { tour, type TourStep } from "./tour.ts";

let passed = 0;
let failed = 0;

function report(name: string, problems: readonly string[]): void {
  if (problems.length === 0) passed++;
  else failed++;
  console.log(`${problems.length === 0 ? "ok  " : "FAIL"} ${name}`);
  for (const problem of problems) console.log(problem.replace(/^/gm, "       "));
}

/** The words of a command line; single quotes hold words with blanks together. */
function words(command: string): readonly string[] {
  return Array.from(
    command.matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

function problemsOf(step: TourStep, { code, output, errors }: Printed): readonly string[] {
  const problems: string[] = [];
  const failureExpected = step.fails !== undefined;
  if ((code === 0) === failureExpected) problems.push(`exit code ${code}`);
  if (step.fails !== undefined && !step.fails.test(errors)) problems.push(`expected ${step.fails}`);
  for (const pattern of step.prints ?? []) {
    if (!pattern.test(output)) problems.push(`expected ${pattern}`);
  }
  for (const pattern of step.lacks ?? []) {
    if (pattern.test(output)) problems.push(`expected nothing like ${pattern}`);
  }
  return problems.length === 0 ? [] : [...problems, `printed: ${output}${errors}`.trimEnd()];
}

/** `get --watch` prints what happens while it runs. */
async function tourOfWatch(kubectl: Kubectl, server: FakeApiServer): Promise<void> {
  const name = "get configmaps -n default --watch";
  const child = kubectl.start(words(name));
  try {
    await server.control.when.watchOpen({ resource: "configmaps" });
    await kubectl.run(
      ["create", "-f", "-"],
      JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "seen" } }),
    );
    await printed(child, "seen");
    const gone = printed(child, "seen");
    await kubectl.run(["delete", "configmap", "seen"]);
    await gone;
    report(name, []);
  } catch (error) {
    report(name, [String(error)]);
  } finally {
    child.kill();
  }
}

const version = findKubectl();
if (version === undefined) {
  console.error(
    "kubectl was not found on PATH. Install it: apt-get install kubernetes-client (Debian), brew install kubectl (macOS), or see https://kubernetes.io/docs/tasks/tools/",
  );
  process.exit(1);
}
console.log(`kubectl ${version}`);

const folder = await mkdtemp(join(tmpdir(), "kubectl-tour-"));
const server = new FakeApiServer();
const listener = await listen(server);
try {
  const kubectl = new Kubectl(folder);
  for (const [name, text] of Object.entries(manifests)) await writeFile(join(folder, name), text);
  const settings = ["--kubeconfig=kubeconfig"];
  await kubectl.run(["config", "set-cluster", "fake", `--server=${listener.url}`, ...settings]);
  await kubectl.run(["config", "set-context", "fake", "--cluster=fake", ...settings]);
  await kubectl.run(["config", "use-context", "fake", ...settings]);
  for (const step of tour) {
    report(step.command, problemsOf(step, await kubectl.run(words(step.command))));
  }
  await tourOfWatch(kubectl, server);
} finally {
  await listener.close();
  await rm(folder, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
