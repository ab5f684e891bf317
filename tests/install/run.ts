/**
 * Follows the first steps of each README and page. It installs the packages of the page's command
 * into an empty folder, from a loopback registry with the packages of this tree. Then it runs the
 * page's first program. The root README and "Getting started" run with npm, pnpm, yarn, Deno and
 * Bun, the others with npm and pnpm. A second command for the package of all layers is tested in
 * the same way. A program that imports a package that its command did not install fails.
 *
 * ```
 * npm run test:install -- [PART OF A PAGE'S PATH...]
 * ```
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { publishedPackages } from "../../scripts/workspace.ts";
import { cacheFolder } from "../support/cache-folder.ts";
import { packInto } from "../support/pack.ts";
import { managersFor, type Manager } from "./managers.ts";
import { firstPrograms, importsOf, otherCommands, type FirstProgram } from "./pages.ts";
import { startRegistry } from "./registry.ts";
import { objects, problemOf } from "./run-program.ts";

const installLimitMs = 180_000;
const everywhere = ["README.md", "apps/docs/src/content/docs/start/getting-started.mdx"];

const work = mkdtempSync(join(tmpdir(), "listwatch-install-"));
let passed = 0;
let failed = 0;

function check(what: string, problem: string | undefined): void {
  if (problem === undefined) passed++;
  else failed++;
  console.log(
    `${problem === undefined ? "ok    " : "FAILED"} ${what}${problem === undefined ? "" : `: ${problem}`}`,
  );
}

/** Returns the folder with the commands of `tools/package.json`; installs them on first use. */
function installTools(): string {
  const files = ["package.json", "package-lock.json"];
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join("tests/install/tools", file)));
  const folder = cacheFolder(join("install-tools", hash.digest("hex").slice(0, 16)));
  const complete = join(folder, "complete");
  if (!existsSync(complete)) {
    console.log("Installing the registry and the package managers, once");
    mkdirSync(folder, { recursive: true });
    for (const file of files) copyFileSync(join("tests/install/tools", file), join(folder, file));
    const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", args, { cwd: folder, stdio: "inherit" });
    writeFileSync(complete, "");
  }
  return join(folder, "node_modules/.bin");
}

/** Starts the fake API server with some objects; returns its address. */
async function startServer(...options: readonly string[]): Promise<{ url: string; stop(): void }> {
  const file = join(work, "objects.yaml");
  // Each document is JSON, which is also YAML.
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join("\n---\n"));
  const program = "packages/fake-apiserver/dist/adapters/node-cli.js";
  const args = [program, "--port", "0", "--load", file, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((found) =>
    createInterface(child.stdout).once("line", found),
  );
  return { url: /https?:\S+/.exec(line)?.[0] ?? "", stop: () => child.kill() };
}

/** The problem of the demo from an empty folder; undefined if it runs. */
function problemOfDemo(environment: Manager["environment"]): string | undefined {
  const { stdout, stderr, status } = spawnSync(
    "npx",
    ["--yes", "@listwatch/demo", "--seconds", "4"],
    {
      cwd: mkdtempSync(join(work, "empty-")),
      env: { ...process.env, ...environment },
      encoding: "utf8",
      timeout: installLimitMs,
    },
  );
  const isWhole = / ADDED [^]*\nSummary: pods in all namespaces/.test(stdout);
  return status === 0 && isWhole ? undefined : `exit code ${status}: ${stdout}${stderr}`;
}

async function tryOut(
  first: FirstProgram,
  manager: Manager,
  cluster: { readonly kubeconfig: string; readonly url: string },
): Promise<string | undefined> {
  const cwd = mkdtempSync(join(work, "empty-"));
  const env = {
    ...process.env,
    ...manager.environment,
    KUBECONFIG: cluster.kubeconfig,
    PATH: `${resolve("node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
  };
  const packages = first.packages.map((name) => manager.prefix + name);
  for (const command of [...manager.prepare, [...manager.install, ...packages]]) {
    const [name = "", ...args] = command;
    const options = { cwd, env, encoding: "utf8", timeout: installLimitMs } as const;
    const { error, status, stdout, stderr } = spawnSync(name, args, options);
    if (error !== undefined) return `${command.join(" ")}: ${error.message}`;
    if (status !== 0) return `${command.join(" ")}: exit code ${status}\n${stdout}${stderr}`;
  }
  const { path, text } = first.file;
  // Programs for a `kubectl proxy` get the address of the fake API server.
  const isAsked = !text.includes("new FakeApiServer");
  writeFileSync(
    join(cwd, path),
    isAsked ? text.replace("http://127.0.0.1:8001", cluster.url) : text,
  );
  return problemOf([...manager.run, path], first.output, { cwd, env });
}

const wanted = process.argv.slice(2);
const programs = firstPrograms().filter(
  ({ page }) => wanted.length === 0 || wanted.some((part) => page.includes(part)),
);
const tools = installTools();
const packed = publishedPackages().map(({ manifest, path }) => ({
  tarball: packInto(work, path),
  manifest,
}));
const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
{
  await using registry = await startRegistry(
    join(tools, "verdaccio"),
    join(work, "registry"),
    upstream,
  );
  for (const { tarball, manifest } of packed) await registry.publish(tarball, manifest);
  const kubeconfig = join(work, "kubeconfig");
  const options = ["--tls", "--token", "secret", "--kubeconfig", kubeconfig];
  const servers = [await startServer(...options), await startServer()] as const;
  const cluster = { kubeconfig, url: servers[1].url };
  const commands = { bin: resolve("node_modules/.bin"), tools };
  const managers = managersFor(commands, registry.url, join(work, "caches"));
  const npx = "npx @listwatch/demo";
  if (wanted.length === 0 || wanted.some((part) => npx.includes(part))) {
    check(npx, problemOfDemo(managers[0]!.environment));
  }
  for (const first of programs) {
    const missing = importsOf([first.file]).filter((name) => !first.packages.includes(name));
    const what = `${first.page} (${first.packages.join(" ")})`;
    check(
      `${what}: imports`,
      missing.length === 0 ? undefined : `not installed: ${missing.join(", ")}`,
    );
    if (first.isForBrowser) continue;
    const own = everywhere.includes(first.page) ? managers : managers.slice(0, 2);
    for (const manager of own)
      check(`${what}: ${manager.name}`, await tryOut(first, manager, cluster));
  }
  for (const server of servers) server.stop();
}
for (const page of new Set(programs.map((first) => first.page))) {
  const installed = programs.filter((first) => first.page === page).map(({ packages }) => packages);
  const hasAllLayers = installed.some((packages) => packages.includes("listwatch"));
  check(`${page}: all layers`, hasAllLayers ? undefined : "no command installs listwatch");
  const npm = new Set(installed.map((packages) => packages.join(" ")));
  const other = otherCommands(page).find((packages) => !npm.has(packages.join(" ")));
  check(
    `${page}: Deno and Bun`,
    other === undefined ? undefined : `no command of npm installs ${other.join(" ")}`,
  );
}
rmSync(work, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
