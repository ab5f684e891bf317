// Runs a program with the oldest Node that the packages support: `with-node-22.mjs PROGRAM ARGS…`.
// It comes from npm where that has it, as the repository's own Node does; elsewhere `NODE_22` names
// one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../tests/types/node-22/node_modules/", import.meta.url);
const own = fileURLToPath(new URL(`node-${process.platform}-${process.arch}/bin/node`, folder));
const node = process.env["NODE_22"] ?? own;
if (!existsSync(node)) {
  console.error(`There is no ${node}: run "npm ci", or name a Node 22 with NODE_22`);
  process.exit(1);
}
const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
if (!stdout.startsWith("v22.")) {
  console.error(`Expected ${node} to be Node 22, got ${stdout.trim()}`);
  process.exit(1);
}
console.log(`Node ${stdout.trim()}`);
const { status } = spawnSync(node, process.argv.slice(2), { stdio: "inherit" });
process.exit(status ?? 1);
