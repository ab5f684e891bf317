import assert from "node:assert/strict";
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { Program, test } from "./harness.ts";

const json = { "content-type": "application/json" };

/** The proof line of a recovery. */
const proof =
  /✓ (re)?connected after \d+\.\d+ s · \d+ changes? caught up · cache = server \((\d+) = \2\)/;

async function create(server: FakeApiServer, path: string, name: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name } });
  const request = new Request(`http://fake${path}`, { method: "POST", headers: json, body });
  const response = await server.fetch(request);
  assert.equal(response.status, 201, await response.text());
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => {
    probe.once("listening", resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** How often a text occurs in what the program printed. */
function occurrences(program: Program, text: string): number {
  return program.output.split(text).length - 1;
}

test("--server watches any resource of an API server, of a group found by discovery too", async () => {
  const server = new FakeApiServer();
  const listener = await listen(server);
  await create(server, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", "scheduler");
  const resource = "leases.coordination.k8s.io";
  const program = Program.demo("--server", listener.url, "--resource", resource);
  await program.until("the lease", () => program.output.includes("kube-system/scheduler"));
  await create(server, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", "manager");
  await program.until("the change", () => program.output.includes("kube-system/manager"));
  program.interrupt();
  await program.exited;
  assert.match(program.output, /Summary: leases\.coordination\.k8s\.io in all namespaces/);
  await listener.close();
});

test("401, 403 and 404 each give one line, the program stays alive and recovers", async () => {
  const server = new FakeApiServer();
  const listener = await listen(server);
  await create(server, "/api/v1/namespaces", "shop");
  await create(server, "/api/v1/namespaces/shop/configmaps", "flags");
  // A refused token is read again and tried once more before it counts as refused.
  for (const [code, times] of [
    [401, 2],
    [403, 1],
    [404, 1],
  ] as const) {
    const action = { type: "status", status: { code } } as const;
    server.control.faults.add({ match: { resource: "configmaps" }, action, times });
  }
  const program = Program.demo("--server", listener.url, "--resource", "configmaps");
  await program.until("the object", () => program.output.includes("shop/flags"), 40_000);
  await program.until("the recovery", () => proof.test(program.output));
  assert.equal(occurrences(program, "does not know who you are (401 Unauthorized)"), 1);
  assert.equal(occurrences(program, "does not let you watch configmaps (403 Forbidden)"), 1);
  assert.equal(occurrences(program, 'has no resource "configmaps" (404 Not Found)'), 1);
  program.interrupt();
  await program.exited;
  await listener.close();
});

test("a resource that no group has is named, and the program stays alive", async () => {
  const listener = await listen(new FakeApiServer());
  const check = async (resource: string): Promise<void> => {
    const args = ["--server", listener.url, "--resource", resource, "--seconds", "4"];
    const program = Program.demo(...args);
    assert.equal(await program.exited, 1);
    assert.match(program.errors, /could not be watched: .*has no resource/);
    assert.equal(occurrences(program, `has no resource "${resource}" (404 Not Found)`), 1);
    assert.ok(occurrences(program, "Listing again in") >= 2, program.output);
  };
  await Promise.all(["nonsense", "nonsense.apps", "pods.nonsense.example.com"].map(check));
  await listener.close();
});

test("a server that never answers is not watched: the exit code is 1", async () => {
  const server = `http://127.0.0.1:${await freePort()}`;
  const program = Program.demo("--server", server, "--seconds", "3");
  assert.equal(await program.exited, 1);
  assert.ok(program.output.includes(`Connecting to ${server}\n`));
  assert.equal(occurrences(program, "nothing listens there (connection refused)"), 1);
  assert.doesNotMatch(program.output, /watching/i);
  assert.equal(program.errors, `listwatch-demo: ${server} has never answered\n`);
});

test("a server that refuses all requests was not reached: the exit code is 1", async () => {
  const check = async (code: number, words: string): Promise<void> => {
    const server = new FakeApiServer();
    const listener = await listen(server);
    server.control.faults.add({
      match: {},
      action: { type: "status", status: { code } },
      times: Infinity,
    });
    const program = Program.demo("--server", listener.url, "--seconds", "3");
    assert.equal(await program.exited, 1);
    assert.match(
      program.errors,
      new RegExp(`^listwatch-demo: ${listener.url} could not be watched: `),
    );
    assert.ok(program.errors.includes(words), program.errors);
    assert.doesNotMatch(program.output, /Watching pods/);
    await listener.close();
  };
  await Promise.all([check(401, "401"), check(403, "403"), check(404, "404")]);
});

test("a server that is not there yet gives one line and is found when it comes", async () => {
  const port = await freePort();
  const program = Program.demo("--server", `http://127.0.0.1:${port}`);
  await program.until("the problem", () => program.output.includes("connection refused"));
  const server = new FakeApiServer();
  const listener = await listen(server, { port });
  await program.until("the recovery", () => proof.test(program.output), 40_000);
  assert.equal(occurrences(program, "nothing listens there (connection refused)"), 1);
  program.interrupt();
  await program.exited;
  assert.match(program.output, /recoveries 1/);
  await listener.close();
});

test("the token of --token-file is sent, and read again for each request", async () => {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-demo-"));
  const file = join(folder, "token");
  writeFileSync(file, "first\n");
  const server = new FakeApiServer();
  const listener = await listen(server);
  const program = Program.demo("--server", listener.url, "--token-file", file);
  await program.until("the list", () => program.output.includes("Listed"));
  writeFileSync(file, "second\n");
  server.control.watches.reset();
  await program.until("the recovery", () => proof.test(program.output));
  const tokens = server.control.recorder
    .list({ resource: "pods" })
    .map(({ headers }) => headers.get("authorization"));
  assert.equal(tokens[0], "Bearer first");
  assert.equal(tokens.at(-1), "Bearer second");
  program.interrupt();
  await program.exited;
  await listener.close();
  rmSync(folder, { recursive: true });
});
