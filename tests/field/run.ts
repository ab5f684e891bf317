// Runs the tests that take too long for each run of all checks: the kubectl tours with older and
// newer versions, the programs in all languages, the tests on a kube-apiserver, the install
// commands of READMEs, the cost of types, the informers' suites in other object forms, the protobuf
// decoder with new objects from Go, Firefox and WebKit.
//
//   npm run test:field
//
// Builds are kept outside of the tree. A missing language or browser is reported and skipped.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildKubectls } from "./kubectls.ts";

let passed = 0;
let failed = 0;

/** Runs a program of the folder `tests` and adds the counts in its last line. */
async function run(title: string, file: string, ...args: readonly string[]): Promise<void> {
  console.log(`--- ${title}`);
  const started = performance.now();
  const path = join(import.meta.dirname, "..", file);
  const child = spawn(process.execPath, [...process.execArgv, path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += String(text);
    process.stdout.write(String(text));
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  const [, good, bad] = /(\d+) passed, (\d+) failed\n$/.exec(output) ?? [];
  passed += Number(good ?? 0);
  failed += Number(bad ?? 0);
  // A run that fails early has counted nothing.
  if (code !== 0 && Number(bad ?? 0) === 0) failed++;
  console.log(`--- ${title}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

const kubectls = buildKubectls();
if (kubectls === undefined) console.log("not on this machine: Go, and so no other kubectl");
for (const { version, path } of kubectls ?? []) {
  await run(`kubectl ${version}`, "kubectl/run.ts", "--kubectl", path);
}
await run("clients", "clients/run.ts", "--field");
await run("cluster", "cluster/run.ts", "--build");
await run("installs", "install/run.ts");
await run("types", "types/run.ts");
await run("the cost of types", "types/cost.ts");
await run("lazy and projected objects, and protobuf", "../scripts/test-forms.ts");
await run("objects of Go in protobuf", "field/protobuf.ts");
await run("Firefox and WebKit", "browsers/run.ts");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
