/**
 * Installs each package alone, as a packed tarball, in an empty folder, and runs a small program
 * with it on Node, Deno and Bun. Proves that what is published works without the repository, and
 * that a user who installs one layer gets that layer and those below it, and nothing else.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { workspacePackages, type WorkspacePackage } from "../../scripts/workspace.ts";

const packages = workspacePackages();
const work = mkdtempSync(join(tmpdir(), "listwatch-smoke-"));
const bin = resolve("node_modules/.bin");
const runtimes: readonly (readonly [name: string, ...command: string[]])[] = [
  ["node", join(bin, "node")],
  ["deno", join(bin, "deno"), "run", "-A", "--no-lock"],
  ["bun", join(bin, "bun")],
];
let passed = 0;
let failed = 0;

function check(what: string, problem: string | undefined): void {
  if (problem === undefined) {
    passed++;
  } else {
    failed++;
    console.error(`${what}: ${problem}`);
  }
}

function tarballOf({ folder }: WorkspacePackage): string {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", work];
  const output = execFileSync("npm", args, { cwd: `packages/${folder}`, encoding: "utf8" });
  const parsed = JSON.parse(output) as
    | readonly { readonly filename: string }[]
    | Readonly<Record<string, { readonly filename: string }>>;
  return join(work, Object.values(parsed)[0]!.filename);
}

/** The package and everything of ours that it depends on. */
function closure(root: WorkspacePackage): WorkspacePackage[] {
  const found = new Set<WorkspacePackage>([root]);
  for (const { manifest } of found) {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const dependency = packages.find((one) => one.manifest.name === name);
      if (dependency !== undefined) found.add(dependency);
    }
  }
  return [...found];
}

const tarballs = new Map(packages.map((one) => [one, tarballOf(one)]));

for (const one of packages) {
  const { folder } = one;
  const cwd = join(work, folder);
  mkdirSync(cwd);
  const needed = closure(one);
  // Unpublished dependencies come from their tarballs too; npm takes the override for every edge.
  const overrides = Object.fromEntries(
    needed.map((each) => [each.manifest.name, `file:${tarballs.get(each)!}`]),
  );
  writeFileSync(
    join(cwd, "package.json"),
    JSON.stringify({
      name: "smoke",
      private: true,
      type: "module",
      dependencies: { [one.manifest.name]: overrides[one.manifest.name] },
      overrides,
    }),
  );
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd,
    stdio: "inherit",
  });

  const installed = readdirSync(join(cwd, "node_modules/@listwatch")).toSorted();
  const expected = needed.map((each) => each.folder).toSorted();
  check(
    `${folder}: installed packages`,
    installed.join() === expected.join()
      ? undefined
      : `expected ${expected.join(", ")}, got ${installed.join(", ")}`,
  );

  copyFileSync(`tests/smoke/programs/${folder}.mjs`, join(cwd, "program.mjs"));
  for (const [name, command, ...args] of runtimes) {
    const { stdout, stderr, status } = spawnSync(command!, [...args, "program.mjs"], {
      cwd,
      encoding: "utf8",
      timeout: 60_000,
    });
    const said = stdout.trim();
    check(
      `${folder} on ${name}`,
      status === 0 && said.endsWith("ok") ? undefined : `exit code ${status}: ${said}\n${stderr}`,
    );
  }
}

rmSync(work, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
