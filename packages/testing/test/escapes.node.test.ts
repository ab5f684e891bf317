import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { connect, createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { sleep } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { EscapeError, simulate, type Life } from "../src/index.ts";
import { untilAborted } from "./support/until-aborted.ts";

/** Runs a program that makes a call after a second, whatever comes of it. */
async function escapeBy(call: () => unknown): Promise<unknown> {
  const scenario = {
    name: "a program",
    start: async ({ clock, signal }: Life) => {
      await sleep(1000, { clock });
      try {
        await call();
      } catch {
        // A program that goes on is ended anyway.
      }
      await untilAborted(signal);
    },
  };
  return simulate(scenario, { seeds: 1, faults: "none" }).catch((error: unknown) => error);
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
  ])("is ended with name and stack of the call: %s", async (name, call) => {
    const error = await escapeBy(call);
    expect(error).toBeInstanceOf(EscapeError);
    expect(String(error)).toContain(`Cannot simulate a call of ${name}`);
    expect((error as Error).stack).toContain("escapes.node.test");
    expect(existsSync(import.meta.filename)).toBe(true);
  });

  test("may import a module that it needs late", async () => {
    const late = async (): Promise<void> => void (await import("node:string_decoder"));
    expect(await escapeBy(late)).toMatchObject({ runs: 1 });
  });
});
