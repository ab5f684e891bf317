// Runs the tours of kubectl with older and newer versions of it, built from their Go modules, which
// are kept outside of the tree: a step of `npm run test:field`. The last line is
// `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../support/cache-folder.ts";

/** A kubectl built from its Go modules. */
interface BuiltKubectl {
  readonly version: string;
  readonly path: string;
}

const folder = join(import.meta.dirname, "kubectl");

function buildKubectl(modules: string): BuiltKubectl {
  const text = readFileSync(join(folder, modules), "utf8");
  // Kubernetes 1.x has modules of version 0.x.
  const [, number] = /^\s*k8s\.io\/kubectl v0\.(\S+)$/m.exec(text) ?? [];
  if (number === undefined) throw new Error(`${modules} names no version of k8s.io/kubectl`);
  const version = `1.${number}`;
  const path = join(cacheFolder("kubectl"), version);
  const [major = "", minor = ""] = version.split(".");
  // kubectl sends them in its User-Agent, and prints them for `kubectl version`.
  const variables = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries(variables)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(" ");
  const options = [`-modfile=${modules}`, "-trimpath", `-ldflags=-s -w ${flags}`, "-o", path];
  const { status } = spawnSync("go", ["build", ...options, "."], { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`Cannot build kubectl ${version}`);
  return { version, path };
}

let passed = 0;
let failed = 0;

function runTours({ version, path }: BuiltKubectl): void {
  console.log(`--- kubectl ${version}`);
  const program = join(import.meta.dirname, "../kubectl/run.ts");
  const args = [...process.execArgv, program, "--kubectl", path];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(stdout);
  const [, good, bad] = /(\d+) passed, (\d+) failed\n$/.exec(stdout) ?? [];
  passed += Number(good ?? 0);
  failed += Number(bad ?? 0);
  // A program that ends early has counted nothing.
  if (status !== 0 && Number(bad ?? 0) === 0) failed++;
}

if (spawnSync("go", ["version"]).status === 0) {
  const versions = readdirSync(folder).filter((name) => name.endsWith(".mod"));
  for (const modules of versions.toSorted()) runTours(buildKubectl(modules));
} else console.log("not on this machine: Go, and so other versions of kubectl");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
