import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createClient, type KubernetesObject } from "listwatch";
import { connect } from "listwatch/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { fencesIn, titleOf } from "./support/fences.ts";
import { startTlsCluster, type TlsCluster } from "./support/tls-cluster.ts";

const root = resolve(import.meta.dirname, "../../..");
const pages = [
  "README.md",
  "packages/listwatch/README.md",
  "apps/docs/src/content/docs/start/getting-started.mdx",
];

interface Pod extends KubernetesObject {
  readonly spec?: object;
}

let cluster: TlsCluster;
let folder: string;
let program: ChildProcess | undefined;
beforeAll(async () => {
  cluster = await startTlsCluster();
});
afterAll(() => cluster[Symbol.asyncDispose]());
beforeEach(() => {
  // Inside of the repository, so that the program finds the packages.
  mkdirSync(join(root, "test-results"), { recursive: true });
  folder = mkdtempSync(join(root, "test-results/first-program-"));
});
afterEach(() => {
  program?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the program `pods.mjs` of a page. */
function programOf(page: string): string {
  const programs = fencesIn(readFileSync(join(root, page), "utf8")).filter(
    (fence) => titleOf(fence) === "pods.mjs",
  );
  expect(programs).toHaveLength(1);
  return programs[0]!.text;
}

/** Runs a file on the current runtime; resolves with its output when it contains the text. */
function runUntil(file: string, text: string, onStart: () => Promise<void>): Promise<string> {
  const command = "Deno" in globalThis ? ["run", "-A"] : [];
  const args = [...command, "--conditions=@listwatch/source", file];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
  });
  program = child;
  return new Promise((resolveOutput, reject) => {
    let output = "";
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes(text)) resolveOutput(output);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      reject(new Error(`The program ended with ${String(code)}: ${output}${errors}`)),
    );
    onStart().catch(reject);
  });
}

test.each(pages)(
  "the program of %s shows events of the cluster in KUBECONFIG with six lines of code (KCF-4)",
  async (page) => {
    const text = programOf(page);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    expect(lines.length).toBeLessThanOrEqual(6);
    const file = join(folder, "pods.mjs");
    writeFileSync(file, text);
    const name = `web-${pages.indexOf(page)}`;
    const output = await runUntil(relative(process.cwd(), file), `added ${name}`, async () => {
      await using connection = await connect({ paths: [cluster.kubeconfig] });
      const reference = { group: "", version: "v1", resource: "pods" };
      const pods = createClient(connection).resource<Pod>(reference);
      const spec = { containers: [{ name: "web", image: "nginx" }] };
      await pods.create({ metadata: { namespace: "default", name }, spec });
    });
    expect(output).toContain(`added ${name}\n`);
  },
);
