/**
 * Installs each package alone, as a packed tarball, in an empty folder. Runs a small program with
 * it on Node, Deno and Bun, and requires every entry from CommonJS on Node 22 and 24. Proves that
 * the published packages work without the repository, that a layer brings only itself and the
 * layers below it, and that an older Node is refused.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publishedPackages, type WorkspacePackage } from "../../scripts/workspace.ts";
import { packAllInto } from "../support/pack.ts";
import { problemOfManager } from "./manager-readme.ts";
import { oldNodes, problemOnOldNode } from "./old-node.ts";
import { problemOfWebhooks } from "./webhooks-readme.ts";

const packages = publishedPackages();
const work = mkdtempSync(join(tmpdir(), "listwatch-smoke-"));
const bin = resolve("node_modules/.bin");
const runtimes: readonly (readonly [name: string, ...command: string[]])[] = [
  ["node", join(bin, "node")],
  ["deno", join(bin, "deno"), "run", "-A", "--no-lock"],
  ["bun", join(bin, "bun")],
];
const requiring = [
  ["Node 24", join(bin, "node")],
  ["Node 22", join(bin, "node"), resolve("scripts/with-node-22.mjs")],
] as const;
const quietInstall = ["install", "--no-audit", "--no-fund", "--prefer-offline"];
const tooOld = oldNodes(join(bin, "node"));
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

/** Returns the package and its dependencies in this repository. */
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

const packed = packAllInto(
  work,
  packages.map(({ path }) => path),
);
const tarballs = new Map(packages.map((one) => [one, packed.get(one.manifest.name)!.path]));

/** Installs the packages that the README of the manager names. */
function installReadme(cwd: string): void {
  mkdirSync(cwd);
  const overrides = Object.fromEntries(
    [...tarballs].map(([{ manifest }, tarball]) => [manifest.name, `file:${tarball}`]),
  );
  const names = ["client", "manager", "resources"].map((name) => `@listwatch/${name}`);
  const dependencies = Object.fromEntries(names.map((name) => [name, overrides[name]]));
  const manifest = { name: "operator", private: true, type: "module", dependencies, overrides };
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", quietInstall, { cwd, stdio: "inherit" });
}

for (const one of packages) {
  const { folder } = one;
  const cwd = join(work, folder);
  mkdirSync(cwd);
  const needed = closure(one);
  // Unpublished dependencies come from tarballs too; npm applies the override to every edge.
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
  execFileSync("npm", quietInstall, { cwd, stdio: "inherit" });

  const scope = join(cwd, "node_modules/@listwatch");
  const installed = existsSync(scope) ? readdirSync(scope).toSorted() : [];
  const expected = needed
    .flatMap(({ manifest }) => /^@listwatch\/(.*)/.exec(manifest.name)?.[1] ?? [])
    .toSorted();
  check(
    `${folder}: installed packages`,
    installed.join() === expected.join()
      ? undefined
      : `expected ${expected.join(", ")}, got ${installed.join(", ")}`,
  );

  // Both are commands alone.
  const programs = folder === "demo" || folder === "create-listwatch" ? [] : runtimes;
  if (programs.length > 0) {
    copyFileSync(`tests/smoke/programs/${folder}.mjs`, join(cwd, "program.mjs"));
  }
  for (const [name, command, ...args] of programs) {
    const { stdout, stderr, status } = spawnSync(command!, [...args, "program.mjs"], {
      cwd,
      encoding: "utf8",
      timeout: 300_000,
    });
    const said = stdout.trim();
    check(
      `${folder} on ${name}`,
      status === 0 && said.endsWith("ok") ? undefined : `exit code ${status}: ${said}\n${stderr}`,
    );
  }

  // Node 22 and newer load ES modules with require.
  const entries = Object.keys(one.manifest.exports)
    .filter((path) => !/^\.\/(?:package\.json|(?:fake-apiserver\/)?(?:deno|bun))$/.test(path))
    .map((path) => one.manifest.name + path.slice(1));
  writeFileSync(
    join(cwd, "program.cjs"),
    entries.map((entry) => `require(${JSON.stringify(entry)});\n`).join(""),
  );
  for (const [name, node, ...args] of requiring) {
    const { stderr, status } = spawnSync(node, [...args, "program.cjs"], {
      cwd,
      encoding: "utf8",
      timeout: 300_000,
    });
    const problem = status === 0 ? undefined : `exit code ${status}: ${stderr}`;
    check(`${folder}: require on ${name}`, problem);
  }

  if (folder === "listwatch") {
    const problems = runtimes.map(([, ...command]) => problemOfWebhooks(command, cwd));
    for (const [index, problem] of (await Promise.all(problems)).entries()) {
      check(`the operator of webhooks on ${runtimes[index]![0]}`, problem);
    }
  }

  if (folder === "demo") {
    const cli = "node_modules/@listwatch/demo/dist/cli.js";
    for (const [name, node, ...args] of requiring) {
      const { stdout, stderr, status } = spawnSync(node, [...args, cli, "--seconds", "4"], {
        cwd,
        encoding: "utf8",
        timeout: 300_000,
      });
      const isWhole = / ADDED [^]*\nSummary: pods in all namespaces/.test(stdout);
      const problem = status === 0 && isWhole ? undefined : `exit code ${status}: ${stderr}`;
      check(`${folder}: command on ${name}`, problem);
    }
  }

  if (folder === "manager") {
    const separate = join(work, "operator");
    installReadme(separate);
    for (const [name, ...command] of runtimes) {
      const problem = await problemOfManager(command, separate);
      check(`${folder}: the README's operator on ${name}`, problem);
    }
  }

  const commands = Object.values(one.manifest.bin ?? {}).map((file) =>
    join("node_modules", one.manifest.name, file),
  );
  for (const old of tooOld) {
    if ("." in one.manifest.exports) {
      const args = ["--input-type=module", "-e", `await import("${one.manifest.name}")`];
      check(`${folder}: import on ${old.name}`, problemOnOldNode(old, args, cwd));
    }
    for (const file of commands) {
      const args = file.includes("listwatch/dist/node-cli") ? [file, "watch", "pods"] : [file];
      check(`${folder}: command on ${old.name}`, problemOnOldNode(old, args, cwd));
    }
  }
}

rmSync(work, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
