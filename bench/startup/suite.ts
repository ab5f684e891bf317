import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Benchmark, Contender, Suite } from "../framework/suite.ts";
import { serve } from "../reflector/processes.ts";
import type { Workload } from "../reflector/workload.ts";

const run = promisify(execFile);
const pods = 200;
const workload: Workload = { pods, events: 0, kind: "modified", chunk: 65_536, isStreamed: true };

interface Figures {
  readonly importMs: number;
  readonly syncMs: number;
  readonly processorMs: number;
}

/** Programs that sync the pods, each with the built packages that a user would install. */
const programs = ["client-node", "listwatch"] as const;
type Program = (typeof programs)[number];

/** The longest start takes some seconds, on a busy machine. */
const limitMs = 30_000;

/** Starts of both programs in turn. Rows take their figures from the same processes. */
class Starts {
  readonly #kubeconfig: string;
  readonly #rounds: Promise<ReadonlyMap<Program, Figures>>[] = [];

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  contender(name: Program, of: (figures: Figures) => number): Contender {
    let round = 0;
    return {
      name,
      sample: async () => {
        const figures = (await (this.#rounds[round] ??= this.#measure(round))).get(name);
        round++;
        return figures === undefined ? { failure: "not measured" } : of(figures);
      },
    };
  }

  async #measure(round: number): Promise<ReadonlyMap<Program, Figures>> {
    const figures = new Map<Program, Figures>();
    for (const name of round % 2 === 0 ? programs : programs.toReversed()) {
      figures.set(name, await this.#start(name));
    }
    return figures;
  }

  async #start(name: Program): Promise<Figures> {
    const program = join(import.meta.dirname, `${name}.mjs`);
    const { stdout } = await run(process.execPath, [program, String(pods)], {
      env: { ...process.env, KUBECONFIG: this.#kubeconfig, NODE_OPTIONS: "" },
      timeout: limitMs,
    });
    return JSON.parse(stdout) as Figures;
  }
}

/** Writes a kubeconfig that is removed when this process ends. */
function writeKubeconfig(server: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bench-startup-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const path = join(folder, "config");
  const lines = [
    "apiVersion: v1",
    "kind: Config",
    "current-context: bench",
    "clusters:",
    // The peer refuses plain HTTP otherwise.
    `  - { name: bench, cluster: { server: "${server}", insecure-skip-tls-verify: true } }`,
    "users: [{ name: bench, user: {} }]",
    "contexts: [{ name: bench, context: { cluster: bench, user: bench } }]",
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

export const suite: Suite = {
  name: "startup",
  async benchmarks() {
    const built = join(import.meta.dirname, "../../packages/listwatch/dist/index.js");
    if (!existsSync(built)) throw new Error("Expected built packages: run npm run build first");
    const starts = new Starts(writeKubeconfig(await serve(workload)));
    const row = (name: string, of: (figures: Figures) => number, goal?: number): Benchmark => ({
      name,
      unit: "ms",
      yardstick: starts.contender("client-node", of),
      subject: starts.contender("listwatch", of),
      rounds: 20,
      ...(goal === undefined ? {} : { goal }),
    });
    return [
      row(`${pods} pods from the start of the process`, ({ syncMs }) => syncMs, 2),
      row(`${pods} pods, processor time`, ({ processorMs }) => processorMs, 2),
      row("import", ({ importMs }) => importMs, 4),
    ];
  },
};
