import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../support/cache-folder.ts";

/** The versions that are tried, the one that renders charts first. */
export const helmVersions = ["v3.22.0", "v4.3.2"] as const;

/** Builds helm unless it was built before, and returns its path; nothing without Go. */
export function buildHelm(version: string): string | undefined {
  const folder = cacheFolder(`helm-${version}`);
  const helm = join(folder, "helm");
  if (existsSync(helm)) return helm;
  const [major = ""] = version.split(".");
  const { error, status } = spawnSync(
    "go",
    ["install", `helm.sh/helm/${major}/cmd/helm@${version}`],
    {
      env: { ...process.env, GOBIN: folder },
      stdio: "inherit",
    },
  );
  if (error !== undefined) return undefined;
  if (status !== 0) throw new Error(`Cannot build helm ${version}`);
  return helm;
}
