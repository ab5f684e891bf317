import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const command = fileURLToPath(new URL("../../src/adapters/node-cli.ts", import.meta.url));
// The command is a Node program, also when the test runs on Deno or Bun.
const node = "Deno" in globalThis || "Bun" in globalThis ? "node" : process.execPath;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fake-command-test-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Calls a program with `call(method, path, body)`, which resolves with the decoded answer. */
const program = (body: string): string => `
  import { readFileSync } from "node:fs";
  const url = /server: (\\S+)/.exec(readFileSync(process.env.KUBECONFIG, "utf8"))[1];
  const headers = { "content-type": "application/json" };
  const call = async (method, path, body) =>
    (await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })).json();
  ${body}`;

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program in the command's place of `npm test`; the signal is sent at its first output. */
function run(options: readonly string[], body: string, signal?: NodeJS.Signals): Promise<Ended> {
  const args = ["--conditions=@listwatch/source", command, ...options, "--"];
  const child = spawn(node, [...args, node, "--input-type=module", "-e", program(body)]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
    if (signal !== undefined) process.kill(child.pid ?? 0, signal);
  });
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output, errors }));
  });
}

const account = "/api/v1/namespaces/default/serviceaccounts/default";
const configMaps = "/api/v1/namespaces/default/configmaps";

test("runs a command when the server is ready, and keeps its state, log and exit code", async () => {
  const [state, ready, log] = ["state.json", "ready.json", "requests.jsonl"].map((name) =>
    join(folder, name),
  );
  const files = [`--state=${state}`, `--ready-file=${ready}`, `--request-log=${log}`];
  const options = ["--controllers=serviceaccounts", ...files];
  const first = await run(
    options,
    `const { metadata } = await call("GET", ${JSON.stringify(account)});
     await call("POST", ${JSON.stringify(configMaps)}, { metadata: { name: "kept" } });
     const ready = JSON.parse(readFileSync(${JSON.stringify(ready)}, "utf8"));
     console.log(metadata.uid, ready.url === url && ready.kubeconfig === process.env.KUBECONFIG);
     process.exitCode = 3;`,
  );
  expect(first).toMatchObject({ code: 3, errors: "" });
  const [uid = "", isReady] = first.output.trim().split(" ");
  expect([uid.length, isReady]).toEqual([36, "true"]);
  expect(existsSync(ready ?? "")).toBe(false);
  const lines = (await readFile(log ?? "", "utf8")).trim().split("\n");
  const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ["GET", account, 200],
    ["POST", configMaps, 201],
  ]);
  const second = await run(
    options,
    `const { metadata } = await call("GET", ${JSON.stringify(account)});
     const kept = await call("GET", ${JSON.stringify(`${configMaps}/kept`)});
     const body = { metadata: { name: "next" } };
     const { metadata: next } = await call("POST", ${JSON.stringify(configMaps)}, body);
     console.log(metadata.uid, next.resourceVersion > kept.metadata.resourceVersion);`,
  );
  expect(second).toMatchObject({ code: 0, output: `${uid} true\n` });
});

test("hands signals on, and reports the one that ended the command", async () => {
  const caught = await run(
    [],
    `process.once("SIGTERM", () => process.exit(7));
     setInterval(() => {}, 1000);
     console.log("started");`,
    "SIGTERM",
  );
  expect(caught.code).toBe(7);
});

test.each([
  [["--controllers=deployment"], /did you mean deployments\?$/m],
  [["--"], /Expected a command after --$/m],
])("refuses %o", async (args, message) => {
  const child = spawn(node, ["--conditions=@listwatch/source", command, ...args]);
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const code = await new Promise((resolve) => {
    child.on("close", resolve);
  });
  expect([code, errors]).toEqual([2, expect.stringMatching(message)]);
});
