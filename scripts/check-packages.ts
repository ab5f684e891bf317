/**
 * Checks every package as npm users would get it: manifest and files (publint), types in each
 * resolution mode (attw).
 */
import { spawnSync } from "node:child_process";
import { workspacePackages } from "./workspace.ts";

for (const { folder } of workspacePackages()) {
  const cwd = `packages/${folder}`;
  const run = (command: string, ...args: string[]): void => {
    const { status } = spawnSync(command, args, { cwd, stdio: "inherit" });
    if (status !== 0) {
      console.error(`${command} has something to say about ${folder}`);
      process.exitCode = 1;
    }
  };
  run("publint", "--strict");
  run("attw", "--pack", ".", "--profile", "esm-only", "--exclude-entrypoints", "package.json");
}
