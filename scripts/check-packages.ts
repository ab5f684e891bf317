/**
 * Checks every package as npm users would get it: manifest and files (publint), types in each
 * resolution mode (attw), and, where `size-budgets.json` limits them, the size of the tarball and
 * the files that an import loads. How long the import takes is only printed: it says as much about
 * what else the machine does.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eagerModules, importMs } from "./checks/eager-modules.ts";
import { packAllInto } from "../tests/support/pack.ts";
import { publishedPackages, readJson } from "./workspace.ts";

interface Loaded {
  readonly files: number;
  readonly bytes: number;
}

interface Budget {
  /** Bytes of the tarball. */
  readonly packedBytes?: number;
  /** By entry point, the modules that its import loads, including those of its dependencies. */
  readonly imports?: Readonly<Record<string, Loaded>>;
}

const budgets = readJson("scripts/size-budgets.json") as Record<string, Budget>;

function fits(what: string, value: number, budget: number): boolean {
  const within = value <= budget;
  console.log(`${within ? "ok" : "over"}\t${what}: ${value} of ${budget}`);
  if (!within) process.exitCode = 1;
  return within;
}

function checkImport(folder: string, entry: string, budget: Loaded): void {
  const url = pathToFileURL(`packages/${folder}/dist/${entry}.js`).href;
  const { bytes, files } = eagerModules(url);
  const few = fits(`${folder}/${entry}: files that an import loads`, files.length, budget.files);
  const small = fits(`${folder}/${entry}: bytes that an import loads`, bytes, budget.bytes);
  if (!few || !small) console.log(files.join("\n"));
  console.log(`${folder}/${entry}: imported in ${importMs(url).toFixed(0)} ms (median of 9)`);
}

const packages = publishedPackages();
const work = mkdtempSync(join(tmpdir(), "listwatch-packages-"));
const tarballs = packAllInto(
  work,
  packages.map(({ path }) => path),
);

for (const { entryPoints, folder, manifest } of packages) {
  const { path, size } = tarballs.get(manifest.name)!;
  const run = (command: string, ...args: string[]): void => {
    const { status } = spawnSync(command, args, { stdio: "inherit" });
    if (status !== 0) {
      console.error(`${command} has something to say about ${folder}`);
      process.exitCode = 1;
    }
  };
  run("publint", "run", path, "--strict");
  if (entryPoints.length > 0)
    run("attw", path, "--profile", "esm-only", "--exclude-entrypoints", "package.json");
  const budget = budgets[folder];
  if (budget?.packedBytes !== undefined) {
    fits(`${folder}: bytes of the tarball`, size, budget.packedBytes);
  }
  for (const [entry, loaded] of Object.entries(budget?.imports ?? {})) {
    checkImport(folder, entry, loaded);
  }
}
rmSync(work, { recursive: true });
