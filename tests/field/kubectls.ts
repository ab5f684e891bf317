import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../support/cache-folder.ts";

/** A kubectl built from its Go modules. */
export interface BuiltKubectl {
  readonly version: string;
  readonly path: string;
}

const folder = join(import.meta.dirname, "kubectl");

/** Builds kubectl in each version with a .mod file; undefined without Go. */
export function buildKubectls(): readonly BuiltKubectl[] | undefined {
  if (spawnSync("go", ["version"]).status !== 0) return undefined;
  return readdirSync(folder)
    .filter((name) => name.endsWith(".mod"))
    .toSorted()
    .map(buildKubectl);
}

function buildKubectl(modules: string): BuiltKubectl {
  const text = readFileSync(join(folder, modules), "utf8");
  // Kubernetes 1.x has modules of version 0.x.
  const [, number] = /^\s*k8s\.io\/kubectl v0\.(\S+)$/m.exec(text) ?? [];
  if (number === undefined) throw new Error(`${modules} names no version of k8s.io/kubectl`);
  const version = `1.${number}`;
  const path = join(cacheFolder("kubectl"), version);
  const [major = "", minor = ""] = version.split(".");
  // The version that kubectl sends in its User-Agent and prints in `kubectl version`.
  const variables = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries(variables)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(" ");
  const options = [`-modfile=${modules}`, "-trimpath", `-ldflags=-s -w ${flags}`, "-o", path];
  const { status } = spawnSync("go", ["build", ...options, "."], { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`Cannot build kubectl ${version}`);
  return { version, path };
}
