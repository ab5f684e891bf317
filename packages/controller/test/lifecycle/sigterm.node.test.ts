import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { fencesIn } from "../support/fences.ts";
import { listenHere } from "../support/listen-here.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const condition = "--conditions=@listwatch/source";
// The program is passed as standard input, so that it resolves packages from the root.
const runtimeArguments =
  "Deno" in globalThis
    ? ["run", "-A", "--no-lock", "--no-check", condition, "-"]
    : "Bun" in globalThis
      ? ["run", condition, "-"]
      : ["--input-type=module", condition, "-"];

/** Returns the README's program, for the server at this address. */
function programFor(url: string): string {
  const [fence] = fencesIn(readme.slice(readme.indexOf("## Stop with SIGTERM")));
  const program = fence?.text ?? "";
  expect(program).toContain("http://127.0.0.1:8001");
  return program.replace("http://127.0.0.1:8001", url);
}

test("the README's program exits cleanly on SIGTERM: no lease, all events, exit code 0 (LE-7, LE-8)", async () => {
  const server = new FakeApiServer();
  await using listener = await listenHere(server);
  const read = async <T>(path: string): Promise<T> => {
    const response = await server.fetch(new Request(`http://fake/apis/${path}`));
    const answer: T = await response.json();
    return answer;
  };
  const create = (name: string): Promise<Response> => {
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const headers = { "content-type": "application/json" };
    const url = "http://fake/api/v1/namespaces/default/configmaps";
    return server.fetch(new Request(url, { method: "POST", headers, body }));
  };
  await create("settings");
  const child = spawn(process.execPath, runtimeArguments, {
    cwd: root,
    env: { ...process.env, HOSTNAME: "pod-7" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const { promise: reconciled, resolve } = Promise.withResolvers<void>();
  child.stdout.on("data", (text: Buffer) => {
    if (text.toString().includes("reconcile default/settings")) resolve();
  });
  child.stdin.end(programFor(listener.url));
  await Promise.race([reconciled, closed]);
  expect(child.exitCode).toBeNull();
  // After `child.kill` Deno reports the signal instead of the exit code.
  process.kill(Number(child.pid), "SIGTERM");
  expect(await closed).toEqual([0, null]);
  const { spec } = await read<{ spec: { holderIdentity?: string } }>(
    "coordination.k8s.io/v1/namespaces/default/leases/my-operator-leader",
  );
  expect(spec.holderIdentity ?? "").toBe("");
  const { items } = await read<{ items: { note: string }[] }>(
    "events.k8s.io/v1/namespaces/default/events",
  );
  const notes = items.map(({ note }) => note.replace(/^pod-7_[\da-f-]{36} /, "pod-7_UUID "));
  expect(notes).toEqual(["pod-7_UUID became leader", "pod-7_UUID stopped leading"]);
});
