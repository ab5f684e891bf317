import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { Listener } from "@listwatch/fake-apiserver/node";
import { describe, expect, test } from "vitest";
import { fencesIn } from "./support/fences.ts";
import { listenHere } from "./support/listen-here.ts";
import { Program } from "./support/programs.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** A fake API server on a port. */
interface ServedServer extends AsyncDisposable {
  readonly server: FakeApiServer;
  readonly listener: Listener;
}

/** Serves a server with a config map. */
async function startServer(): Promise<ServedServer> {
  const server = new FakeApiServer();
  const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
  const headers = { "content-type": "application/json" };
  const url = "http://fake/api/v1/namespaces/default/configmaps";
  await server.fetch(new Request(url, { method: "POST", headers, body }));
  const listener = await listenHere(server);
  return { server, listener, [Symbol.asyncDispose]: () => listener.close() };
}

async function read<T>(server: FakeApiServer, path: string): Promise<T> {
  const response = await server.fetch(new Request(`http://fake/apis/${path}`));
  const answer: T = await response.json();
  return answer;
}

async function holderOf(server: FakeApiServer): Promise<string> {
  const path = "coordination.k8s.io/v1/namespaces/default/leases/operator";
  const { spec } = await read<{ spec: { holderIdentity?: string } }>(server, path);
  return spec.holderIdentity ?? "";
}

/** A program whose reconcile does this. */
function programFor(listener: Listener, reconcile: string, options = ""): string {
  return `
    import { createConnection } from "@listwatch/client";
    import { createManager } from "@listwatch/manager";
    const connection = createConnection({ server: "${listener.url}" });
    const manager = createManager(connection, {
      name: "operator",
      election: { namespace: "default" },
      server: { port: 0, host: "127.0.0.1" },
      ${options}
    });
    manager.controller({
      for: { group: "", version: "v1", resource: "configmaps" },
      reconcile: async (key, { signal }) => {
        if (key !== "default/a") return;
        console.log("reconcile", key);
        ${reconcile}
      },
    });
    const end = await manager.run().catch((error) => ({ error: error.message }));
    console.log("end", JSON.stringify(end));
  `;
}

describe("the process of a manager", () => {
  test("the README's program ends with 0 on SIGTERM while it reconciles, without a lease (MGR-8)", async () => {
    await using served = await startServer();
    const { server, listener } = served;
    const [fence] = fencesIn(readme.slice(readme.indexOf("This is a complete operator")));
    const text = fence?.text ?? "";
    expect(text.split("\n").filter((line) => line !== "").length).toBeLessThan(40);
    // The first write waits until the signal has arrived.
    const { faults } = server.control;
    const match = { verb: "patch", resource: "configmaps" } as const;
    faults.add({ match, action: { type: "latency", ms: 300 } });
    const program = new Program(
      text
        .replace("http://127.0.0.1:8001", listener.url)
        .replace("port: 8081", 'port: 0, host: "127.0.0.1"'),
      { HOSTNAME: "pod-7" },
    );
    await program.shows("Leader is elected");
    program.kill("SIGTERM");
    expect(await program.exitCode()).toBe(0);
    expect(program.output).toContain("stopped by SIGTERM");
    const path = "coordination.k8s.io/v1/namespaces/default/leases/greeter";
    const { spec } = await read<{ spec: { holderIdentity?: string } }>(server, path);
    expect(spec.holderIdentity ?? "").toBe("");
    const events = "events.k8s.io/v1/namespaces/default/events";
    const { items } = await read<{ items: { note?: string }[] }>(server, events);
    expect(items.map(({ note = "" }) => note.replace(/^\S+ /, ""))).toEqual(
      expect.arrayContaining(["became leader", "stopped leading"]),
    );
  });

  test("a reconcile in progress ends before the process does (MGR-1)", async () => {
    await using served = await startServer();
    const { server, listener } = served;
    const work = `
      await new Promise((resolve) => process.once("SIGINT", resolve));
      const draft = { metadata: { namespace: "default", name: "a" }, data: { done: "yes" } };
      await manager.client.resource({ group: "", version: "v1", resource: "configmaps" })
        .apply({ apiVersion: "v1", kind: "ConfigMap", ...draft }, { fieldManager: "it", signal });
    `;
    const program = new Program(programFor(listener, work));
    await program.shows("reconcile default/a");
    program.kill("SIGINT");
    expect(await program.exitCode()).toBe(0);
    expect(program.output).toContain('end {"by":"SIGINT"}');
    const map = await server.fetch(
      new Request("http://fake/api/v1/namespaces/default/configmaps/a"),
    );
    expect(await map.json()).toMatchObject({ data: { done: "yes" } });
    expect(await holderOf(server)).toBe("");
  });

  test("work that never ends is named in the last line, and the process exits with 1 (MGR-3)", async () => {
    await using served = await startServer();
    const { listener } = served;
    const limits = "limits: { stopTimeoutMs: 50, exitTimeoutMs: 50 },";
    const program = new Program(programFor(listener, "await new Promise(() => {});", limits));
    await program.shows("reconcile default/a");
    program.kill("SIGTERM");
    expect(await program.exitCode()).toBe(1);
    expect(program.lines.at(-1)).toMatchObject({
      level: "error",
      message: "Process exits before its work has ended",
      keys: ["configmaps default/a"],
    });
  });

  test("a blocked event loop answers no probe within the time limit of the kubelet (MGR-5)", async () => {
    await using served = await startServer();
    const work = `
      await new Promise((resolve) => setTimeout(resolve, 10));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    `;
    const program = new Program(programFor(served.listener, work));
    await program.shows("reconcile default/a");
    const { port } = program.lines.find(({ message }) => message === "Server listens") ?? {};
    // A manifest has seconds; the answer would never come.
    const limit = (): AbortSignal => AbortSignal.timeout(500);
    const answers = async (): Promise<boolean> => {
      try {
        return (await fetch(`http://127.0.0.1:${String(port)}/livez`, { signal: limit() })).ok;
      } catch (error) {
        if (error instanceof Error && error.name === "TimeoutError") return false;
        throw error;
      }
    };
    while (await answers());
    expect(await answers()).toBe(false);
    program.kill("SIGKILL");
    expect(await program.exitCode()).not.toBe(0);
  });

  // Linux has a file for this.
  test.skipIf(!existsSync("/dev/full"))(
    "a full disk under stderr, where the default log writes, stops nothing",
    async () => {
      await using served = await startServer();
      const { server, listener } = served;
      const full = openSync("/dev/full", "w");
      const program = new Program(programFor(listener, ""), {}, full);
      closeSync(full);
      await program.shows("reconcile default/a");
      program.kill("SIGTERM");
      expect(await program.exitCode()).toBe(0);
      expect(program.output).toContain('end {"by":"SIGTERM"}');
      expect(await holderOf(server)).toBe("");
    },
  );

  test.each([
    ["an unhandled rejection", 'void Promise.reject(new Error("boom"));'],
    ["an uncaught error", 'setTimeout(() => { throw new Error("boom"); });'],
  ])(
    "%s ends the manager as a failing runnable does, the lease released (MGR-4)",
    async (_, work) => {
      await using served = await startServer();
      const { server, listener } = served;
      const program = new Program(programFor(listener, work));
      expect(await program.exitCode()).toBe(1);
      expect(program.output).toContain('end {"error":"boom"}');
      expect(program.lines.find(({ level }) => level === "error")).toMatchObject({
        message: "Manager fails",
        cause: expect.stringContaining("boom"),
      });
      expect(await holderOf(server)).toBe("");
    },
  );
});
