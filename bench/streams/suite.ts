import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Benchmark, Contender, Suite } from "../framework/suite.ts";

/** The server and the reader have a file descriptor for each client: `ulimit -n` of 11,000. */
const clients = Number(process.env["BENCH_CLIENTS"] ?? 10_000);
const events = 30;

interface Figures {
  readonly bytesPerClient: number;
  readonly nanosecondsPerEvent: number;
  readonly streams: number;
}

const kinds = ["by hand", "streams"] as const;
type Kind = (typeof kinds)[number];

function start(file: string, ...parameters: readonly string[]): ChildProcess {
  const program = join(import.meta.dirname, file);
  const options = ["--expose-gc", "--conditions=@listwatch/source"];
  return spawn(process.execPath, [...options, program, ...parameters], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/** Reads the lines of a process, one for each call. */
function linesOf({ stdout }: ChildProcess): () => Promise<string> {
  const lines = createInterface({ input: stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error("The process has ended");
    return value;
  };
}

async function measure(kind: Kind): Promise<Figures> {
  const server = start("serve.ts", kind, String(clients), String(events));
  const nextOfServer = linesOf(server);
  const reader = start("read.ts", await nextOfServer(), String(clients), String(events));
  const nextOfReader = linesOf(reader);
  try {
    await nextOfReader();
    server.stdin!.write("connected\n");
    const figures = JSON.parse(await nextOfServer()) as Figures;
    await nextOfReader();
    if (figures.streams !== clients) throw new Error(`${figures.streams} of ${clients} streams`);
    return figures;
  } finally {
    server.kill();
    reader.kill();
  }
}

/** Runs of both servers in turn. The rows take their figures from the same processes. */
class Runs {
  readonly #rounds: Promise<ReadonlyMap<Kind, Figures>>[] = [];

  contender(kind: Kind, of: (figures: Figures) => number): Contender {
    let round = 0;
    return {
      name: kind === "streams" ? "toEventStream" : "SSE server by hand",
      sample: async () => {
        const figures = await (this.#rounds[round] ??= this.#measure(round));
        round++;
        return of(figures.get(kind)!);
      },
    };
  }

  async #measure(round: number): Promise<ReadonlyMap<Kind, Figures>> {
    const figures = new Map<Kind, Figures>();
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      figures.set(kind, await measure(kind));
    }
    return figures;
  }
}

export const suite: Suite = {
  name: "streams",
  benchmarks(): readonly Benchmark[] {
    const runs = new Runs();
    const row = (name: string, unit: string, of: (figures: Figures) => number): Benchmark => ({
      name: `${name}, ${clients} clients of 3 collections`,
      unit,
      yardstick: runs.contender("by hand", of),
      subject: runs.contender("streams", of),
      rounds: 3,
      warmsUp: false,
    });
    return [
      row("memory", "bytes/client", ({ bytesPerClient }) => bytesPerClient),
      row("an event", "ns/client", ({ nanosecondsPerEvent }) => nanosecondsPerEvent),
    ];
  },
};
