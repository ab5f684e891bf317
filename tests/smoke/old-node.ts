/** Checks the message of imports and commands on a Node that is too old. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Command and name of a Node. */
export interface OldNode {
  readonly name: string;
  readonly command: readonly [string, ...(readonly string[])];
}

/** Returns the outdated Nodes of the machine, and one that simulates them. */
export function oldNodes(node: string): readonly OldNode[] {
  const lack = "data:text/javascript,delete Promise.withResolvers";
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, version: spawnSync(file, ["--version"], { encoding: "utf8" }).stdout }))
    .filter(({ version }) => Number(/^v(\d+)\./.exec(version)?.[1] ?? Infinity) < 22);
  const byVersion = new Map(found.map(({ file, version }) => [version.trim(), file]));
  return [
    { name: "a Node without Promise.withResolvers", command: [node, `--import=${lack}`] },
    ...[...byVersion].map(([name, file]) => ({ name, command: [file] as const })),
  ];
}

/** Returns the problem of a program's end; undefined if one line states the requirement. */
export function problemOnOldNode(
  { command: [node, ...options] }: OldNode,
  args: readonly string[],
  cwd: string,
): string | undefined {
  const { status, stderr } = spawnSync(node, [...options, ...args], {
    cwd,
    encoding: "utf8",
    timeout: 300_000,
  });
  const isSaid = /Cannot load listwatch: expected Node 22\.9\b/.test(stderr);
  if (status === 1 && isSaid) return undefined;
  return `expected "Cannot load listwatch: expected Node 22.9 …", got exit code ${status}: ${stderr}`;
}
