import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Contender, Failure } from "../framework/suite.ts";
import type { Kind, Reads, Transport } from "./informers.ts";
import type { Workload } from "./workload.ts";

export type Figures = Readonly<Record<string, number>>;

/** One kind of measurement, repeated in many processes. */
export interface Measurement {
  readonly what: "parse" | "read" | "retain" | "sync" | "events" | "relist" | "latency" | "fault";
  /** The informer; undefined for the floors. */
  readonly kind?: Kind;
  readonly workload: Workload;
  /** Whether our initial list is streamed. @default false */
  readonly isStreamed?: boolean;
  /** Transport of our connection. @default "fetch" */
  readonly transport?: Transport;
  /** The part of each object that our handler reads. @default "nothing" */
  readonly reads?: Reads;
  /** Events per second of a latency measurement. */
  readonly hertz?: number;
  /** Change of every n-th object before a relist, without an event. */
  readonly silently?: "touch" | "drop";
  readonly every?: number;
  /** The fault in the middle of the events. */
  readonly fault?: string;
}

const condition = "--conditions=@listwatch/source";
const bin = join(import.meta.dirname, "../../node_modules/.bin");

const commands: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath, "--expose-gc", condition],
  deno: [join(bin, "deno"), "run", "-A", "--no-lock", condition],
  bun: [join(bin, "bun"), condition],
};

/** Runtime of the clients; `BENCH_RUNTIME=deno` or `bun` selects another. */
const runtime = commands[process.env["BENCH_RUNTIME"] ?? "node"];

function start(
  command: readonly string[],
  file: string,
  parameters: readonly string[],
  isNoisy: boolean,
): ChildProcess {
  const [program = "", ...options] = command;
  // The end of standard input lets a server exit with this program.
  return spawn(program, [...options, join(import.meta.dirname, file), ...parameters], {
    stdio: ["pipe", "pipe", isNoisy ? "pipe" : "inherit"],
  });
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) return line;
  return undefined;
}

/** Returns the first error in the output of the process. */
async function firstError(child: ChildProcess): Promise<string> {
  let found = "";
  if (child.stderr === null) return found;
  for await (const line of createInterface({ input: child.stderr })) {
    if (found === "" && /^\s*(?:Uncaught )?\w*Error\b/.test(line)) found = line.trim();
  }
  return found;
}

/** Only one server is kept, since two large ones do not fit into memory. */
let serving:
  | { readonly key: string; readonly child: ChildProcess; readonly url: string }
  | undefined;

/** Returns the address of a workload's server, which runs until this process or workload ends. */
export async function serve(workload: Workload): Promise<string> {
  return startServer("server.ts", JSON.stringify(workload));
}

/** Returns the address of a server, whose program has one argument. */
export async function startServer(file: string, argument: string): Promise<string> {
  const key = `${file} ${argument}`;
  if (serving?.key === key) return serving.url;
  serving?.child.kill();
  const child = start(commands["node"] ?? [], file, [argument], false);
  const line = await firstLine(child);
  if (line === undefined) throw new Error("Couldn't start a server: it ended without a word");
  const { port } = JSON.parse(line) as { port: number };
  // It keeps running, but does not keep this process alive.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as Socket | null)?.unref();
  serving = { key, child, url: `http://127.0.0.1:${port}` };
  return serving.url;
}

async function measureOnce(measurement: Measurement): Promise<Figures | Failure> {
  const url = await serve(measurement.workload);
  if (runtime === undefined) {
    throw new Error(`Expected BENCH_RUNTIME to be one of ${Object.keys(commands).join(", ")}`);
  }
  const isPeer = measurement.kind === "client-node";
  const child = start(runtime, "client.ts", [url, JSON.stringify(measurement)], isPeer);
  const exited = once(child, "exit");
  const [line, error] = await Promise.all([firstLine(child), firstError(child)]);
  await exited;
  if (line === undefined) return { failure: error === "" ? "crashed" : `crashed: ${error}` };
  return JSON.parse(line) as Figures | Failure;
}

function isFailure(result: Figures | Failure): result is Failure {
  return "failure" in result;
}

/**
 * Parallel measurements. Their n-th processes run one after the other, so that load of the machine
 * affects all of them. Contenders may take several figures of the same processes.
 */
export class SideBySide<Name extends string> {
  readonly #measurements: Readonly<Record<Name, Measurement>>;
  readonly #rounds: Promise<ReadonlyMap<string, Figures | Failure>>[] = [];

  constructor(measurements: Readonly<Record<Name, Measurement>>) {
    this.#measurements = measurements;
  }

  /** A figure of one of the measurements; its n-th sample comes from the n-th process. */
  figure(name: Name, of: (figures: Figures) => number): Contender {
    let round = 0;
    return {
      name,
      sample: async () => {
        const results = await (this.#rounds[round] ??= this.#measure(round));
        round++;
        const result = results.get(name) ?? { failure: "not measured" };
        return isFailure(result) ? result : of(result);
      },
    };
  }

  async #measure(round: number): Promise<ReadonlyMap<string, Figures | Failure>> {
    const results = new Map<string, Figures | Failure>();
    const measurements = Object.entries<Measurement>(this.#measurements);
    for (const [name, measurement] of round % 2 === 0 ? measurements : measurements.toReversed()) {
      results.set(name, await measureOnce(measurement));
    }
    return results;
  }
}
