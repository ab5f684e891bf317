// Programs of the current runtime that real signals end.
import { FakeApiServer, type FaultAction, type FaultRule } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { listenHere } from "./support/listen-here.ts";
import { Program } from "./support/programs.ts";

/** An operator that writes the order of its parts among the lines of its log, to stderr. */
function programFor(url: string, reconcile: string): string {
  return `
    import { createConnection } from "@listwatch/client";
    import { createManager } from "@listwatch/manager";
    const note = (message) => console.error(JSON.stringify({ message }));
    const untilAborted = (signal) =>
      new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    let watch;
    const connection = createConnection({
      server: "${url}",
      fetch: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname.includes("/leases") && request.method !== "GET") {
          const body = await request.clone().text();
          if (!/"holderIdentity":"[^"]/.test(body)) note("lease is released");
        }
        if (pathname.endsWith("/events") && request.method === "POST") {
          note("event: " + JSON.parse(await request.clone().text()).note.replace(/^\\S+ /, ""));
        }
        if (searchParams.has("watch") && watch === undefined) {
          // Node drops the signal of a request that nothing holds.
          watch = request;
          watch.signal.addEventListener("abort", () => note("watch ends"));
        }
        return fetch(request);
      },
    });
    const manager = createManager(connection, {
      name: "operator",
      election: { namespace: "default" },
      server: { port: 0, host: "127.0.0.1" },
    });
    manager.controller({
      for: { group: "", version: "v1", resource: "configmaps" },
      reconcile: async (key, { signal }) => {
        if (key !== "default/a") return;
        note("reconcile");
        ${reconcile}
        note("reconciled");
      },
    });
    for (const [name, needsLeader] of [["replica-work", false], ["leader-work", true]]) {
      const run = async (signal) => {
        await untilAborted(signal);
        note(name + " ends");
      };
      manager.add({ name, needsLeader, run });
    }
    await manager.run().catch(() => {});
  `;
}

/** Runs the program until a line, ends it, and returns its lines from its end on. */
async function endOf(
  reconcile: string,
  end: (program: Program) => unknown,
  {
    until = "reconcile",
    faults = [],
  }: { until?: string; faults?: readonly FaultRule<FaultAction>[] } = {},
): Promise<{ readonly code: unknown; readonly lines: readonly unknown[] }> {
  const metadata = { namespace: "default", name: "a" };
  const objects = [{ apiVersion: "v1", kind: "ConfigMap", metadata }];
  const server = new FakeApiServer({ objects });
  for (const fault of faults) server.control.faults.add(fault);
  await using listener = await listenHere(server);
  const program = new Program(programFor(listener.url, reconcile));
  await program.shows(`"${until}"`);
  await end(program);
  const code = await program.exitCode();
  const lines = program.lines.map(({ message }) => message);
  const first = lines.findIndex((line) => line === "Manager stops" || line === "Manager fails");
  return { code, lines: lines.slice(first) };
}

/** The order after the end of the reconcile. */
const stopped = [
  "leader-work ends",
  "event: stopped leading",
  "lease is released",
  "replica-work ends",
  "watch ends",
  "Manager has stopped",
];

describe("the order of stop in a process", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s lets the reconcile end, then stops each part after those that need it (MGR-1)",
    async (signal) => {
      const work = `await new Promise((resolve) => process.once("${signal}", resolve));`;
      const { code, lines } = await endOf(work, (program) => program.kill(signal));
      expect(lines).toEqual(["Manager stops", "reconciled", ...stopped]);
      expect(code).toBe(0);
    },
  );

  test("SIGTERM before the first lists starts nothing else (MGR-1)", async () => {
    const match = { resource: "configmaps" };
    const faults = [{ match, times: Infinity, action: { type: "blackhole" } }] as const;
    const terminate = (program: Program): void => program.kill("SIGTERM");
    const { code, lines } = await endOf("", terminate, { until: "Server listens", faults });
    // The first watch may not have begun when the signal arrives.
    expect(lines.filter((line) => line !== "watch ends")).toEqual([
      "Manager stops",
      "Manager has stopped",
    ]);
    expect(code).toBe(0);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("a second %s stops nothing else: the process exits with %i", async (signal, exit) => {
    const { code, lines } = await endOf("await new Promise(() => {});", async (program) => {
      program.kill(signal);
      await program.shows("Manager stops");
      program.kill(signal);
    });
    expect(lines).toEqual(["Manager stops"]);
    expect(code).toBe(exit);
  });

  test.each([
    ["an uncaught error", "uncaughtException", 'setTimeout(() => { throw new Error("boom"); });'],
    ["an unhandled rejection", "unhandledRejection", 'void Promise.reject(new Error("boom"));'],
  ])("%s stops each part in the same order (MGR-1, MGR-4)", async (_, event, failure) => {
    const work = `
      const failed = new Promise((resolve) => process.once("${event}", resolve));
      ${failure}
      await failed;
    `;
    const { code, lines } = await endOf(work, () => undefined);
    expect(lines).toEqual(["Manager fails", "reconciled", ...stopped]);
    expect(code).toBe(1);
  });
});
