/**
 * Runs the programs of the page "Testing" with their test frameworks, those of the page
 * "Dashboards", a stream of a Hono route, and a bundled program on Node, against the built
 * packages:
 *
 * ```
 * npm run check -- frameworks
 * ```
 *
 * The number of tests is fixed, so that a framework that finds fewer fails.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { listen } from "listwatch/fake-apiserver/node";
import { tryBundlers } from "./bundlers.ts";

const folder = import.meta.dirname;
const bin = join(folder, "../../node_modules/.bin");
const jest = join(folder, "../../node_modules/jest/bin/jest.js");

/** The limit of a test, in milliseconds, where the framework has one: only what hangs meets it. */
const limitMs = 300_000;

/** How a framework with its command, its folder in this one, and the pattern of its result. */
interface Framework {
  readonly name: string;
  readonly folder: string;
  readonly command: readonly string[];
  readonly passed: RegExp;
  /** Expected number of tests. @default 3 */
  readonly tests?: number;
}

const files = ["delete-temporary.test.ts", "cluster.test.ts"];
const frameworks: readonly Framework[] = [
  {
    name: "Vitest",
    folder: "vitest",
    command: [join(bin, "vitest"), "run", "--root", ".", `--testTimeout=${limitMs}`],
    passed: /Tests +(\d+) passed/,
  },
  {
    name: "node:test",
    folder: "node-test",
    command: [join(bin, "node"), "--test", "--test-reporter=tap", ...files],
    passed: /^# pass (\d+)$/m,
  },
  {
    name: "Deno",
    folder: "deno",
    command: [join(bin, "deno"), "test", "-A", "--no-lock", "--no-check", ...files],
    passed: /(\d+) passed \|/,
  },
  {
    name: "Bun",
    folder: "bun",
    command: [join(bin, "bun"), "test", `--timeout=${limitMs}`, ...files],
    passed: /(\d+) pass$/m,
  },
  {
    name: "Jest",
    folder: "jest",
    command: [join(bin, "node"), "--experimental-vm-modules", jest, `--testTimeout=${limitMs}`],
    passed: /Tests: +(\d+) passed/,
  },
  {
    name: "React",
    folder: "react",
    command: [join(bin, "vitest"), "run", "--root", ".", `--testTimeout=${limitMs}`],
    passed: /Tests +(\d+) passed/,
    tests: 9,
  },
  {
    name: "Hono",
    folder: "hono",
    command: [join(bin, "node"), "--test", "--test-reporter=tap", "stream.test.ts"],
    passed: /^# pass (\d+)$/m,
    tests: 1,
  },
];

let passed = 0;
let failed = 0;
for (const { name, folder: own, command, passed: told, tests = 3 } of frameworks) {
  const [program = "", ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: join(folder, own),
    encoding: "utf8",
    timeout: 600_000,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
  });
  const output = `${stdout}${stderr}`;
  const count = Number(told.exec(output)?.[1] ?? 0);
  if (status === 0 && count === tests) {
    passed += count;
    console.log(`ok    ${name}: ${count} tests`);
  } else {
    failed += tests;
    console.log(`FAIL  ${name}: ${count} of ${tests} tests passed, exit code ${status}\n${output}`);
  }
}

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "default", name: "web-0" },
  spec: { containers: [{ name: "web", image: "nginx" }] },
};
const listener = await listen(new FakeApiServer({ objects: [pod] }), { port: 0 });
const own = mkdtempSync(join(tmpdir(), "listwatch-frameworks-"));
const kubeconfig = join(own, "kubeconfig.yaml");
writeFileSync(
  kubeconfig,
  `apiVersion: v1
kind: Config
current-context: fake
contexts: [{ name: fake, context: { cluster: fake, user: fake } }]
clusters: [{ name: fake, cluster: { server: "${listener.url}" } }]
users: [{ name: fake, user: {} }]
`,
);
for await (const { name, problem } of tryBundlers(kubeconfig)) {
  if (problem === undefined) passed++;
  else failed++;
  console.log(problem === undefined ? `ok    ${name}` : `FAIL  ${name}: ${problem}`);
}
await listener.close();
rmSync(own, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
