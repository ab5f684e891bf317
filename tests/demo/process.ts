import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { freePort } from "../support/free-port.ts";
import { startUsedCluster, type UsedCluster } from "../support/used-cluster.ts";
import { Program, test } from "./harness.ts";

/** Runs a test on a cluster that others use, too, and looks whether it leaves anything. */
async function onUsedCluster(run: (cluster: UsedCluster) => Promise<void>): Promise<void> {
  await using cluster = await startUsedCluster();
  const before = await cluster.foreignObjects();
  await run(cluster);
  assert.deepEqual(await cluster.foreignObjects(), before);
  assert.deepEqual(await cluster.leftNamespaces(), []);
}

/** Runs with a variable of the environment. */
async function withVariable(name: string, value: string, run: () => Promise<void>): Promise<void> {
  const before = process.env[name];
  process.env[name] = value;
  try {
    await run();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

test("--help prints the usage and ends well", async () => {
  const program = Program.demo("--help");
  assert.equal(await program.exited, 0);
  assert.match(program.output, /^Usage: npx @listwatch\/demo/);
});

test("a mistake on the command line gives one line, the usage and exit code 2", async () => {
  for (const [line, ...args] of [
    [/^listwatch-demo: --seconds: expected a number above 0, got "soon"$/, "--seconds", "soon"],
    [/^listwatch-demo: .*expected an http or https address.*not a url"$/, "--server", "not a url"],
    [/^listwatch-demo: .*without credentials.*…@host/, "--server", "http://u:p@host"],
  ] as const) {
    const program = Program.demo(...args);
    assert.equal(await program.exited, 2);
    const [first = "", empty, usage = ""] = program.errors.split("\n");
    assert.match(first, line);
    assert.equal(empty, "");
    assert.match(usage, /^Usage: npx @listwatch\/demo/);
    assert.equal(program.output, "");
  }
});

test("without a terminal there is a line for each event and a summary, and --seconds ends it", async () => {
  const program = Program.demo("--seconds", "2");
  assert.equal(await program.exited, 0);
  assert.equal(program.errors, "");
  assert.match(program.output, /^\S+ ------ {2}Connecting to http:\/\/127\.0\.0\.1:\d+\n/);
  assert.match(program.output, /\nSummary: pods in all namespaces at http:\/\/127\.0\.0\.1:\d+, /);
  assert.ok(!program.output.includes("\u001b"), "expected no control sequences");
});

test("Ctrl-C ends a run in a pipe with the summary", async () => {
  const program = Program.demo();
  await program.until("an event", () => program.output.includes("UPDATED"));
  program.interrupt();
  await program.exited;
  assert.match(program.output, / ADDED {3}[^]*\nSummary: pods in all namespaces at http/);
  assert.equal(program.errors, "");
});

test("a server that never answers is not watched: the exit code is 1", async () => {
  const server = `http://127.0.0.1:${await freePort()}`;
  const node = ["--conditions=@listwatch/source", "apps/demo/src/cli.ts"];
  const program = new Program(process.execPath, [...node, "--server", server]);
  const problem = "nothing listens there (connection refused)";
  await program.until("the problem", () => program.output.includes(problem));
  program.interrupt();
  assert.equal(await program.exited, 1);
  assert.equal(program.errors, `listwatch-demo: ${server} has never answered\n`);
});

test("the token of --token-file is sent, and read again for each request", async () => {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-demo-"));
  const file = join(folder, "token");
  writeFileSync(file, "first\n");
  const server = new FakeApiServer();
  await using listener = await listen(server);
  const program = Program.demo("--server", listener.url, "--token-file", file);
  await program.until("the watch", () => program.output.includes("Watching pods"));
  writeFileSync(file, "second\n");
  server.control.watches.reset();
  await program.until("the recovery", () => program.output.includes("✓ reconnected"));
  program.interrupt();
  await program.exited;
  const requests = server.control.recorder.list({ resource: "pods", verb: "watch" });
  const tokens = requests.map(({ headers }) => headers.get("authorization"));
  assert.equal(tokens[0], "Bearer first");
  assert.equal(tokens.at(-1), "Bearer second");
  rmSync(folder, { recursive: true });
});

test("--context watches the cluster of a kubeconfig, and removes what it made on Ctrl-C", () =>
  onUsedCluster((cluster) =>
    withVariable("KUBECONFIG", cluster.kubeconfig, async () => {
      const program = Program.demo("--context", cluster.context);
      await program.until("an object of others", () => program.output.includes("shop/web-0"));
      const own = /(ADDED|UPDATED) +listwatch-demo-\w+\/guest-1 /;
      await program.until("a pod", () => own.test(program.output));
      const [namespace = ""] = /listwatch-demo-[0-9a-f]{8}/.exec(program.output) ?? [];
      assert.deepEqual(await cluster.leftNamespaces(), [namespace]);
      program.interrupt();
      await program.exited;
      assert.equal(program.errors, "");
      assert.ok(program.output.includes(`\nDeleted the namespace ${namespace}\nSummary: pods`));
      assert.match(program.output, /Watching pods at https:\/\/127\.0\.0\.1:/);
    }),
  ));

test("--context finds ~/.kube/config; one that it lacks gives one line and exit code 1", () =>
  onUsedCluster(async (cluster) => {
    const home = mkdtempSync(join(tmpdir(), "listwatch-demo-"));
    mkdirSync(join(home, ".kube"));
    copyFileSync(cluster.kubeconfig, join(home, ".kube", "config"));
    await withVariable("HOME", home, async () => {
      const watched = ["--resource", "CM", "--namespace", "shop"];
      const program = Program.demo("--context", cluster.context, ...watched);
      await program.until("a key", () => program.output.includes("ADDED   shop/flags "));
      program.interrupt();
      await program.exited;
      assert.doesNotMatch(program.output, /listwatch-demo-/);
      const other = Program.demo("--context", "nonsense");
      assert.equal(await other.exited, 1);
      const line = /^listwatch-demo: Cannot use the kubeconfig .* no context "nonsense"[^\n]*\n$/;
      assert.match(other.errors, line);
      assert.equal(other.output, "");
    });
    rmSync(home, { recursive: true });
  }));
