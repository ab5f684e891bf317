// Makes each variant of `npm create listwatch` in an empty folder and does what its README says.
//
//   npm run test:create -- [--quick] [--seeds N] [--role-seeds N]
//
// From packed tarballs, on Node 22 and 24: tests and simulation, types, roles, `npm run dev`, and
// the program on a real kube-apiserver, where there is one, with exactly its roles; the tests on
// Deno and Bun; the manifests on the fake API server; the steps of the Dockerfile in folders; that
// each rule of the roles is needed, and 500 seeds with them. `--quick` takes the built packages of
// the repository, and does a part of it on Node 24. The table at the end has seconds and bytes; the
// last line is `N passed, N failed`.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { publishedPackages } from "../../scripts/workspace.ts";
import { packInto } from "../support/pack.ts";
import { runImage } from "./images.ts";
import { applyManifests, kubectlWith } from "./manifests.ts";
import { runDashboardOnCluster, runOperatorOnCluster, whyNoCluster } from "./on-cluster.ts";
import { bytesIn, Project } from "./project.ts";
import { Report } from "./report.ts";
import { untilPodIsShown } from "./until-pod-is-shown.ts";
import { untilSaid, untilSpacesAreRefused } from "./until-said.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    seeds: { type: "string" },
    "role-seeds": { type: "string", default: "500" },
  },
});
const isQuick = values.quick;
const seeds = values.seeds ?? (isQuick ? "2" : "50");
const node24 = resolve("node_modules/.bin/node");
const node22 =
  process.env["NODE_22"] ??
  resolve(`tests/types/node-22/node_modules/node-${process.platform}-${process.arch}/bin/node`);
if (!isQuick && !existsSync(node22)) {
  throw new Error(`There is no ${node22}: run "npm ci", or name a Node 22 with NODE_22`);
}
const root = mkdtempSync(join(tmpdir(), "listwatch-create-"));
/** Folder with the command of the built package, for `--quick`. */
const shims = join(root, "bin");
mkdirSync(shims);
const report = new Report();
const tarballs: string[] = [];

/** A variant: the arguments of the command, and what its program does. */
interface Variant {
  readonly name: string;
  readonly args: readonly string[];
  readonly project: Project;
  readonly runOnCluster: typeof runOperatorOnCluster;
  /** Resolves when the program that runs against a fake API server does its work. */
  readonly worked: (kubeconfig: string) => Promise<void>;
  /** Commands that must not change a file. */
  readonly unchanged: readonly (readonly [line: string, file: string])[];
}

const operator: Variant = {
  name: "operator",
  args: ["keeper", "--kind", "BackupPolicy", "--group", "acme.io"],
  project: new Project("keeper", root, shims, seeds),
  runOnCluster: runOperatorOnCluster,
  worked: async (kubeconfig) => {
    await untilSaid({ kubeconfig, folder: join(root, "keeper") });
    // The operator needs some seconds until it has a certificate.
    if (!isQuick) await untilSpacesAreRefused(kubeconfig);
  },
  unchanged: [
    ["npm run rbac", "manifests/rbac.yaml"],
    ["npm run upgrade-types", "src/backuppolicies.generated.ts"],
  ],
};
const dashboard: Variant = {
  name: "dashboard",
  args: ["dashboard", "board"],
  project: new Project("board", root, shims, seeds),
  runOnCluster: runDashboardOnCluster,
  worked: async (kubeconfig) => {
    while (!existsSync(kubeconfig)) await new Promise((wake) => setTimeout(wake, 200));
    const kubectl = kubectlWith(kubeconfig);
    kubectl(["run", "web", "--image=nginx", "--namespace", "default"]);
    await untilPodIsShown({ folder: join(root, "board"), user: "ann", pod: "default/web" });
  },
  unchanged: [],
};

function pack(): number {
  let bytes = 0;
  for (const { manifest, path } of publishedPackages()) {
    const file = packInto(root, path);
    bytes += statSync(file).size;
    if (manifest.name !== "create-listwatch") {
      tarballs.push(file);
      continue;
    }
    const cwd = join(root, "tool");
    mkdirSync(cwd);
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", file], { cwd });
  }
  return bytes;
}

/** Creates the project with the command of the package, packed or built. */
function create({ args, project }: Variant): string {
  const program = isQuick
    ? resolve("packages/create-listwatch/dist/node-cli.js")
    : join(root, "tool/node_modules/create-listwatch/dist/node-cli.js");
  execFileSync(process.execPath, [program, ...args], { cwd: root, encoding: "utf8" });
  const { bytes, files } = project.size();
  if (files > 15) throw new Error(`expected at most 15 files, got ${files}`);
  return `${files} files, ${bytes} bytes`;
}

function install({ project }: Variant): number | undefined {
  if (isQuick) {
    symlinkSync(resolve("node_modules"), join(project.folder, "node_modules"), "dir");
    const program = resolve("packages/listwatch/dist/node-cli.js");
    const script = `#!/bin/sh\nexec node ${program} "$@"\n`;
    writeFileSync(join(shims, "listwatch"), script, { mode: 0o755 });
    return undefined;
  }
  const options = "--prefer-offline --no-audit --no-fund --loglevel=error";
  project.command(`npm install ${options} ${tarballs.join(" ")}`, node24);
  return bytesIn(join(project.folder, "node_modules"));
}

async function checkOnNode(variant: Variant, node: string): Promise<void> {
  const { name, project, runOnCluster, unchanged, worked } = variant;
  const on = `Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1)}`;
  const check = (what: string, run: () => Promise<string | void> | string | void) =>
    report.check({ variant: name, on, what }, run);
  const env = { ...project.environment(node), DEV_USER: "ann" };
  const isSimulated = variant === operator;
  const what = isSimulated ? `npm test, ${seeds} seeds` : "npm test";
  await check(what, () => void project.command("npm test", node));
  if (!isQuick) {
    await check("npm run check", () => void project.command("npm run check", node));
    for (const [line, file] of unchanged) {
      await check(line, () => project.unchanged(line, file, node));
    }
  }
  await check("npm run dev, until SIGTERM", () => project.runUntil("npm run dev", env, worked));
  const reason = whyNoCluster();
  if (isQuick) return;
  await check("on a real API server", () =>
    reason === undefined
      ? runOnCluster({ folder: project.folder, name: project.name, env })
      : `left out: ${reason}`,
  );
}

async function checkVariant(variant: Variant): Promise<void> {
  const { name, project } = variant;
  const check = (on: string, what: string, run: () => Promise<string> | number | string | void) =>
    report.check({ variant: name, on, what }, run);
  await check("", "created in an empty folder", () => create(variant));
  await check("", "npm install", () => install(variant));
  for (const node of isQuick ? [node24] : [node24, node22]) await checkOnNode(variant, node);
  if (isQuick) return;
  await check("Deno", "tests", () => void project.command("deno test -A --no-check", node24));
  await check("Bun", "tests", () => void project.command("bun test", node24));
  await check("fake", "kubectl apply, and --dry-run=server", async () => {
    const fake = "listwatch fake --kubeconfig dev.kubeconfig --port 0";
    await project.runUntil(fake, project.environment(node24), async (kubeconfig) => {
      while (!existsSync(kubeconfig)) await new Promise((wake) => setTimeout(wake, 200));
      applyManifests(kubectlWith(kubeconfig), project.folder, project.name);
    });
    return "";
  });
}

async function checkOperator(): Promise<void> {
  const { name, project } = operator;
  const check = (what: string, run: () => Promise<string> | string | void) =>
    report.check({ variant: name, on: "Node", what }, run);
  await check("each rule of the roles is needed", () => {
    return `${project.eachRuleIsNeeded(node24)} rules`;
  });
  for (const target of ["node", "deno"] as const) {
    await check(`Dockerfile, target ${target}`, () => runImage(project, target, root, node24));
  }
  const count = values["role-seeds"];
  await check(`${count} seeds with exactly the roles`, () => {
    project.command("node --test tests/simulation.test.ts", node24, count);
  });
}

try {
  if (!isQuick) await report.check({ variant: "all", on: "", what: "packed" }, pack);
  await checkVariant(operator);
  if (!isQuick) {
    await checkVariant(dashboard);
    await checkOperator();
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = report.end() ? 0 : 1;
