import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Runs kubectl with a kubeconfig. @throws with its output if it fails */
export type Kubectl = (args: readonly string[]) => string;

export function kubectlWith(kubeconfig: string): Kubectl {
  return (args) => {
    const options = { encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("kubectl", ["--kubeconfig", kubeconfig, ...args], options);
  };
}

/**
 * Applies the manifests of a project as its README says. Before, the server checks them in a dry
 * run; after, a dry run and a second apply change nothing.
 *
 * @throws {Error} if the server refuses one, or a repeated apply would change one
 */
export function applyManifests(kubectl: Kubectl, folder: string, name: string): void {
  const files = ["definition", "operator", "rbac"]
    .map((file) => join(folder, `manifests/${file}.yaml`))
    .filter((file) => existsSync(file))
    .flatMap((file) => ["-f", file]);
  // A dry run creates no namespace for the objects that follow.
  kubectl(["create", "namespace", name]);
  const planned = linesOf(kubectl(["apply", "--dry-run=server", ...files]));
  const stored = linesOf(
    kubectl(["get", "clusterroles", name, "--ignore-not-found", "-o", "name"]),
  );
  if (stored.length > 0) throw new Error("the dry run has stored its objects");
  const applied = linesOf(kubectl(["apply", ...files]));
  if (applied.length !== planned.length) {
    throw new Error(`planned ${planned.join(", ")}, applied ${applied.join(", ")}`);
  }
  for (const options of [["--dry-run=server"], []]) {
    const changed = linesOf(kubectl(["apply", ...options, ...files])).filter(
      (line) => !/ unchanged(?: \(server dry run\))?$/.test(line),
    );
    if (changed.length > 0) throw new Error(`a repeated apply changes ${changed.join(", ")}`);
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .trim()
    .split("\n")
    .filter((line) => line !== "");
}
