import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dirname, "modules");

/** The Kubernetes version of the modules, such as `1.37.2`. */
export const moduleVersion: string = versionIn(
  readFileSync(join(modules, "kube-apiserver", "go.mod"), "utf8"),
);

function versionIn(text: string): string {
  const [, version] = /^\s*k8s\.io\/kubernetes v(\S+)$/m.exec(text) ?? [];
  if (version === undefined) throw new Error("go.mod names no version of k8s.io/kubernetes");
  return version;
}

export function hasGo(): boolean {
  return spawnSync("go", ["version"]).status === 0;
}

/** Builds etcd, kube-apiserver and kube-controller-manager into a folder, in five to twenty minutes. */
export function buildBinaries(folder: string): void {
  const [major = "", minor = ""] = moduleVersion.split(".");
  // The version that the API server returns from `/version`.
  const variables = { gitVersion: `v${moduleVersion}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries(variables)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(" ");
  mkdirSync(folder, { recursive: true });
  build("etcd", folder, "");
  build("kube-apiserver", folder, flags);
  build("kube-controller-manager", folder, flags);
}

function build(name: string, folder: string, flags: string): void {
  console.log(`building ${name}`);
  const path = join(folder, name);
  // An interrupted build must not look complete.
  const part = `${path}.part`;
  const options = ["-trimpath", `-ldflags=-s -w ${flags}`.trim(), "-o", part];
  const { status } = spawnSync("nice", ["go", "build", ...options, "."], {
    cwd: join(modules, name),
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  if (status !== 0) throw new Error(`Cannot build ${name}`);
  renameSync(part, path);
}
