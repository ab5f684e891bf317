import { ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, pbkdf2 } from "node:crypto";
import { createSocket } from "node:dgram";
import { resolveTxt, Resolver } from "node:dns";
import { lookup } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { open } from "node:inspector";
import { connect, createServer } from "node:net";
import { loadavg } from "node:os";
import { exit } from "node:process";
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { createGzip, gzip } from "node:zlib";
import { sleep } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { EscapeError, simulate, type Life } from "../src/index.ts";
import { asking } from "./support/asking.ts";
import { untilAborted } from "./support/until-aborted.ts";

/** Runs a program that makes a call after a second, whatever comes of it. */
async function escapeBy(call: () => unknown): Promise<unknown> {
  const scenario = {
    name: "a program",
    start: asking(async ({ clock, signal }: Life) => {
      await sleep(1000, { clock });
      try {
        await call();
      } catch {
        // A program that goes on is ended anyway.
      }
      await untilAborted(signal);
    }),
  };
  return simulate(scenario, { seeds: 1, faults: "none" }).catch((error: unknown) => error);
}

function member(object: object, name: string): (...args: never[]) => unknown {
  return Reflect.get(object, name) as () => unknown;
}

/** Starts a program as `spawn` does, with the class that it uses. */
function spawnOf(type: typeof ChildProcess): unknown {
  const created: object = Reflect.construct(type, []);
  return Reflect.apply(member(created, "spawn"), created, [{ file: "true", args: ["true"] }]);
}

// Named imports of these modules cannot be replaced on Deno and Bun.
const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

describe.runIf(isOnNode)("a program of Node that reaches out of the simulation", () => {
  test.each<readonly [string, () => unknown]>([
    ["net.connect", () => connect(1, "127.0.0.1")],
    ["net.Server.listen", () => createServer().listen(0)],
    ["http.get", () => get("http://127.0.0.1:1/")],
    ["dgram.createSocket", () => createSocket("udp4")],
    ["fs.readFileSync", () => readFileSync(import.meta.filename)],
    ["fs/promises.readFile", () => readFile(import.meta.filename)],
    ["child_process.spawn", () => spawn("true")],
    ["worker_threads.Worker", () => new Worker(import.meta.filename)],
    ["child_process.ChildProcess.spawn", () => spawnOf(ChildProcess)],
    ["dns/promises.lookup", () => lookup("localhost")],
    ["dns.resolveTxt", () => resolveTxt("x.invalid", () => undefined)],
    ["dns.Resolver", () => new Resolver()],
    ["inspector.open", () => open(0)],
    ["process.exit", () => exit(0)],
    ["process.exit", () => process.exit(0)],
    ["process.reallyExit", () => void Reflect.apply(member(process, "reallyExit"), process, [0])],
    ["process.abort", () => process.abort()],
    ["process.kill", () => process.kill(process.pid, "SIGKILL")],
    ["process.chdir", () => process.chdir("..")],
    ["process.memoryUsage", () => process.memoryUsage()],
    ["process.cpuUsage", () => process.cpuUsage()],
    ["os.loadavg", () => loadavg()],
    ["v8.getHeapStatistics", () => getHeapStatistics()],
    ["zlib.gzip", () => gzip("text", () => undefined)],
    ["zlib.createGzip", () => createGzip()],
    ["CompressionStream", () => new CompressionStream("gzip")],
    ["crypto.pbkdf2", () => pbkdf2("a", "b", 1, 8, "sha256", () => undefined)],
    ["crypto.generateKeyPairSync", () => generateKeyPairSync("ed25519")],
    ["Atomics.wait", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)],
  ])("is ended with name and stack of the call: %s", async (name, call) => {
    const error = await escapeBy(call);
    expect(error).toBeInstanceOf(EscapeError);
    expect(String(error)).toContain(`Cannot simulate a call of ${name}`);
    expect((error as Error).stack).toContain("escapes.node.test");
    expect(existsSync(import.meta.filename)).toBe(true);
  });

  test("is ended although it exits at its end", async () => {
    const before = member(process, "exit");
    const start = async ({ signal }: Life): Promise<void> => {
      await untilAborted(signal);
      process.exit(0);
    };
    const error: unknown = await simulate({ name: "one", start }, { seeds: 1 }).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).toContain("Cannot simulate a call of process.exit");
    expect(member(process, "exit")).toBe(before);
  });

  test("may import a module that it needs late", async () => {
    const late = async (): Promise<void> => void (await import("node:string_decoder"));
    expect(await escapeBy(late)).toMatchObject({ runs: 1 });
  });
});
