/** What a Node that is too old prints, for imports and for commands. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** How a Node is started, and what to call it. */
export interface OldNode {
  readonly name: string;
  readonly command: readonly [string, ...(readonly string[])];
}

/** The Nodes of the machine that are too old, and one that lacks what they lack. */
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

/** What is wrong with the end of a program; undefined if it says in one line what it needs. */
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
  const isSaid = /Cannot load listwatch: expected Node 22\b/.test(stderr);
  if (status === 1 && isSaid) return undefined;
  return `expected "Cannot load listwatch: expected Node 22 …", got exit code ${status}: ${stderr}`;
}
