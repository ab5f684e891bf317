// Makes each variant of `npm create listwatch` in an empty folder and does what its README says.
//
//   npm run test:create -- [--quick] [--seeds N]
//
// From packed tarballs, on Node 22 and 24: the tests and the simulation, the types, the roles, the
// program of `npm run dev`; the tests on Deno and Bun; that each rule of the roles is needed; and
// the program on a real kube-apiserver, where there is one. `--quick` takes the built packages of
// the repository, and only Node 24. The last line is `N passed, N failed`.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { publishedPackages } from "../../scripts/workspace.ts";
import { packInto } from "../support/pack.ts";
import { checkOnCluster } from "./on-cluster.ts";
import { untilSaid } from "./until-said.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, seeds: { type: "string" } },
});
const isQuick = values.quick;
const seeds = values.seeds ?? (isQuick ? "2" : "50");
const bin = resolve("node_modules/.bin");
const node22 = resolve(
  `tests/types/node-22/node_modules/node-${process.platform}-${process.arch}/bin/node`,
);
const root = mkdtempSync(join(tmpdir(), "listwatch-create-"));
const folder = join(root, "keeper");
/** Folder with the command of the built package, for `--quick`. */
const shims = join(root, "bin");
mkdirSync(shims);
const environment = { ...process.env, SEEDS: seeds, NODE_OPTIONS: "" };
const limitMs = 1_800_000;
let passed = 0;
let failed = 0;

async function check(what: string, run: () => unknown): Promise<void> {
  const startMs = performance.now();
  let problem = "";
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    problem = `: ${error instanceof Error ? error.message : String(error)}`;
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${problem === "" ? "ok    " : "FAILED"} ${what}, ${seconds} s${problem}`);
}

/** The folders of commands: the project's, and the runtime's first. */
function pathWith(node: string): string {
  const own = join(folder, "node_modules/.bin");
  return [dirname(node), shims, own, bin, process.env["PATH"]].join(delimiter);
}

/** Runs a command in the project. @throws with its output if it fails */
function command(line: string, node = join(bin, "node"), cwd = folder): string {
  const env = { ...environment, PATH: pathWith(node) };
  const options = { cwd, env, encoding: "utf8", shell: true, timeout: limitMs } as const;
  const { status, stdout, stderr } = spawnSync(line, options);
  if (status === 0) return stdout;
  throw new Error(`${line}: exit code ${status}\n${stdout.slice(-3000)}${stderr.slice(-3000)}`);
}

/** Runs a command that must not change a file. */
function unchanged(line: string, file: string, node: string): void {
  const before = readFileSync(join(folder, file), "utf8");
  command(line, node);
  if (readFileSync(join(folder, file), "utf8") !== before) throw new Error(`${file} has changed`);
}

/** Number of bytes in a folder, without installed packages. */
function bytesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Creates the project with the command of the package, packed or built. */
function create(): void {
  const program = isQuick
    ? resolve("packages/create-listwatch/dist/node-cli.js")
    : join(root, "tool/node_modules/create-listwatch/dist/node-cli.js");
  const args = [program, "keeper", "--kind", "BackupPolicy", "--group", "acme.io"];
  console.log(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }).trim());
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const count = files.filter((entry) => entry.isFile()).length;
  if (count > 15) throw new Error(`expected at most 15 files, got ${count}`);
  console.log(`       ${count} files, ${bytesIn(folder)} bytes`);
}

function install(tarballs: readonly string[]): void {
  if (isQuick) {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "dir");
    const program = resolve("packages/listwatch/dist/node-cli.js");
    writeFileSync(join(shims, "listwatch"), `#!/bin/sh\nexec node ${program} "$@"\n`, {
      mode: 0o755,
    });
    return;
  }
  const options = "--prefer-offline --no-audit --no-fund --loglevel=error";
  command(`npm install ${options} ${tarballs.join(" ")}`);
  const size = execFileSync("du", ["-sk", "node_modules"], { cwd: folder, encoding: "utf8" });
  console.log(`       ${size.split("\t")[0]} kB installed`);
}

/** The program of `npm run dev` does its work on the fake API server. */
async function develop(node: string): Promise<void> {
  const kubeconfig = join(folder, "dev.kubeconfig");
  rmSync(kubeconfig, { force: true });
  const env = { ...environment, PATH: pathWith(node) };
  const options = { cwd: folder, env, shell: true, detached: true, stdio: "ignore" } as const;
  const child = spawn("npm run dev", options);
  try {
    const ended = Promise.withResolvers<never>();
    child.once("exit", (code) =>
      ended.reject(new Error(`the program has ended with the exit code ${code}`)),
    );
    await Promise.race([untilSaid({ kubeconfig, folder }), ended.promise]);
  } finally {
    // npm and the shell do not hand signals on: the whole group ends.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  }
}

/** Without any one of the rules the tests fail. */
async function eachRuleIsNeeded(): Promise<void> {
  const file = join(folder, "manifests/rbac.yaml");
  const whole = readFileSync(file, "utf8");
  const rules = whole.match(/(?: {2}#.*\n)+ {2}- apiGroups:.*\n(?: {4}.*\n)+/g) ?? [];
  if (rules.length < 5) throw new Error(`expected at least 5 rules, got ${rules.length}`);
  try {
    for (const rule of rules) {
      writeFileSync(file, whole.replace(rule, "").replace("rules:\n---", "rules: []\n---"));
      const { status } = spawnSync("node --test tests/operator.test.ts", {
        cwd: folder,
        env: { ...environment, PATH: pathWith(join(bin, "node")) },
        shell: true,
        timeout: limitMs,
      });
      if (status === 0) throw new Error(`the tests pass without this rule:\n${rule}`);
    }
  } finally {
    writeFileSync(file, whole);
  }
}

try {
  const tarballs: string[] = [];
  if (!isQuick) {
    await check("the packages are packed", () => {
      for (const { manifest, path } of publishedPackages()) {
        const file = packInto(root, path);
        console.log(`       ${manifest.name}: ${statSync(file).size} bytes`);
        if (manifest.name === "create-listwatch") {
          mkdirSync(join(root, "tool"));
          command(
            `npm install --offline --no-audit --no-fund ${file}`,
            undefined,
            join(root, "tool"),
          );
        } else tarballs.push(file);
      }
    });
  }
  await check("an operator is created in an empty folder", create);
  await check("its packages are installed", () => install(tarballs));
  const nodes = isQuick || !existsSync(node22) ? [join(bin, "node")] : [join(bin, "node"), node22];
  for (const node of nodes) {
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    await check(`npm test on Node ${version}, ${seeds} seeds`, () => command("npm test", node));
    if (isQuick) continue;
    const types = "src/backuppolicies.generated.ts";
    await check(`npm run check on ${version}`, () => command("npm run check", node));
    await check(`npm run rbac on ${version}`, () =>
      unchanged("npm run rbac", "manifests/rbac.yaml", node),
    );
    await check(`npm run upgrade-types on ${version}`, () =>
      unchanged("npm run upgrade-types", types, node),
    );
    await check(`npm run dev on ${version}`, () => develop(node));
  }
  if (isQuick) {
    await check("npm run dev", () => develop(join(bin, "node")));
  } else {
    await check("each rule of the roles is needed", eachRuleIsNeeded);
    await check("the tests on Deno", () => command("deno test -A --no-check tests"));
    await check("the tests on Bun", () => command("bun test"));
    await check("the program on a real API server", () => checkOnCluster(folder, pathWith));
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
