import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Contender } from "../framework/suite.ts";
import type { Workload } from "./workload.ts";

/** What one process measured. */
export type Figures = Readonly<Record<string, number>>;

/** One kind of measurement, of which many processes are made. */
export interface Measurement {
  readonly what: "parse" | "retain" | "sync" | "events" | "relist" | "latency";
  /** Of the informer; none for the floors. */
  readonly kind?: "plain" | "stripped" | "client-node";
  readonly workload: Workload;
  /** Events a second, of a latency. */
  readonly hertz?: number;
}

const condition = "--conditions=@listwatch/source";
const bin = join(import.meta.dirname, "../../node_modules/.bin");

/** How the clients are run: `BENCH_RUNTIME=deno` or `bun` measures there. */
const commands: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath, "--expose-gc", condition],
  deno: [join(bin, "deno"), "run", "-A", "--no-lock", condition],
  bun: [join(bin, "bun"), condition],
};

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill();
});

function start(
  command: readonly string[],
  file: string,
  parameters: readonly string[],
): ChildProcess {
  const [program = "", ...options] = command;
  const child = spawn(program, [...options, join(import.meta.dirname, file), ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

async function firstLine(child: ChildProcess): Promise<Record<string, number>> {
  if (child.stdout === null) throw new Error("Couldn't read what the process prints");
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error("Couldn't measure: the process ended without a word");
}

/** Servers by workload; only the last one is kept, since the large ones do not fit beside one another. */
let serving:
  | { readonly key: string; readonly child: ChildProcess; readonly url: string }
  | undefined;

async function serve(workload: Workload): Promise<string> {
  const key = JSON.stringify(workload);
  if (serving?.key === key) return serving.url;
  serving?.child.kill();
  const child = start(commands["node"] ?? [], "server.ts", [key]);
  const { port } = await firstLine(child);
  serving = { key, child, url: `http://127.0.0.1:${port}` };
  return serving.url;
}

async function measureOnce(measurement: Measurement): Promise<Figures> {
  const { what, kind = "none", workload, hertz } = measurement;
  const url = await serve(workload);
  const runtime = commands[process.env["BENCH_RUNTIME"] ?? "node"] ?? [];
  const child = start(runtime, "client.ts", [
    what,
    kind,
    url,
    JSON.stringify({ ...workload, hertz }),
  ]);
  const exited = once(child, "exit");
  const figures = await firstLine(child);
  await exited;
  return figures;
}

const done = new Map<string, Promise<Figures>[]>();

/**
 * A contender that takes one figure of a measurement. Contenders of one measurement share its processes: the n-th
 * sample of each is a figure of the n-th process.
 */
export function figure(
  name: string,
  measurement: Measurement,
  of: (figures: Figures) => number,
): Contender {
  const key = JSON.stringify(measurement);
  let round = 0;
  return {
    name,
    sample: async () => {
      const runs = done.get(key) ?? [];
      done.set(key, runs);
      const run = (runs[round] ??= measureOnce(measurement));
      round++;
      return of(await run);
    },
  };
}
