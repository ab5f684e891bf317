import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../support/cache-folder.ts";
import { buildBinaries, hasGo, moduleVersion } from "./build.ts";

/** Paths of the programs of a cluster. */
export interface Binaries {
  readonly kubeApiServer: string;
  readonly etcd: string;
  /** `undefined` in a folder of `KUBEBUILDER_ASSETS`, which usually has none. */
  readonly kubeControllerManager: string | undefined;
  /** For example `Kubernetes v1.37.2`. */
  readonly version: string;
}

/**
 * Finds kube-apiserver and etcd in the folder that `KUBEBUILDER_ASSETS` names, the usual
 * convention, otherwise among earlier builds. Builds them on request.
 *
 * @returns a description of the missing programs and the remedy, if there are none
 */
export function findBinaries(options: { readonly build: boolean }): Binaries | string {
  const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
  if (assets !== "") {
    const found = binariesIn(assets);
    if (found !== undefined) return found;
    const expected = "expected a folder with kube-apiserver and etcd";
    throw new Error(`Cannot use KUBEBUILDER_ASSETS: ${expected}, ${assets} has not both`);
  }
  const folder = cacheFolder(`cluster-${moduleVersion.replace(/\.\d+$/, "")}`);
  const found = binariesIn(folder);
  if (found !== undefined && (!options.build || found.version === `Kubernetes v${moduleVersion}`)) {
    return found;
  }
  const missing = "not on this machine: kube-apiserver and etcd";
  if (!hasGo()) return `${missing}, nor Go to build them; name their folder in KUBEBUILDER_ASSETS`;
  if (!options.build) {
    return `${missing}; npm run test:cluster -- --build makes them, or name their folder in KUBEBUILDER_ASSETS`;
  }
  buildBinaries(folder);
  return binariesIn(folder) ?? missing;
}

function binariesIn(folder: string): Binaries | undefined {
  const [kubeApiServer, etcd] = [join(folder, "kube-apiserver"), join(folder, "etcd")];
  if (!existsSync(kubeApiServer) || !existsSync(etcd)) return undefined;
  const { error, stdout, stderr } = spawnSync(kubeApiServer, ["--version"], { encoding: "utf8" });
  if (error !== undefined) throw error;
  const version = stdout.trim();
  if (!version.startsWith("Kubernetes v")) {
    throw new Error(`Cannot run ${kubeApiServer}: expected its version, got ${version}${stderr}`);
  }
  const manager = join(folder, "kube-controller-manager");
  const kubeControllerManager = existsSync(manager) ? manager : undefined;
  return { kubeApiServer, etcd, kubeControllerManager, version };
}
