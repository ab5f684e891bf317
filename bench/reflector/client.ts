// One measurement in a process of its own: what, of which kind, against which server. Prints its figures as JSON.
import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { metadataOf } from "@listwatch/core-fifo";
import { startInformer, type Kind } from "./informers.ts";

const [what = "", kind = "", server = "", amounts = "{}"] = process.argv.slice(2);
const { pods = 0, events = 0, hertz = 0 } = JSON.parse(amounts) as Record<string, number>;

/** The longest time in which a timer of a millisecond did not fire; in every runtime, unlike Node's histogram. */
class StallWatch {
  #last = performance.now();
  #longest = 0;
  readonly #timer = setInterval(() => this.#tick(), 1);

  stop(): number {
    clearInterval(this.#timer);
    this.#tick();
    return this.#longest;
  }

  #tick(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}

function figures(startMs: number, stalls: StallWatch): Record<string, number> {
  const ms = performance.now() - startMs;
  return { ms, stallMs: stalls.stop(), peakMb: process.resourceUsage().maxRSS / 1024 };
}

/** Counts what an informer is told, and says when a number is reached. */
class Counter {
  count = 0;
  #wanted = Infinity;
  #reached = Promise.withResolvers<void>();

  readonly tell = (): void => {
    this.count++;
    if (this.count === this.#wanted) this.#reached.resolve();
  };

  until(wanted: number): Promise<void> {
    this.#wanted = wanted;
    if (this.count >= wanted) this.#reached.resolve();
    return this.#reached.promise;
  }
}

const bodyOf = async (path: string): Promise<IncomingMessage> => {
  const [response] = (await once(get(server + path), "response")) as [IncomingMessage];
  return response;
};

const command = async (path: string): Promise<void> => {
  await (await fetch(`${server}/control/${path}`)).text();
};

/** The floor P: the same bytes through one JSON.parse, their reading not counted. */
async function parse(): Promise<Record<string, number>> {
  const pieces: Buffer[] = [];
  for await (const piece of await bodyOf("/api/v1/pods")) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  pieces.length = 0;
  const stalls = new StallWatch();
  const startMs = performance.now();
  const { items } = JSON.parse(text) as { items: unknown[] };
  const result = figures(startMs, stalls);
  return { ...result, items: items.length };
}

/** The floor E: read, split, parse, retain by key. */
async function retain(): Promise<Record<string, number>> {
  const held = new Map<string, unknown>();
  const stalls = new StallWatch();
  const startMs = performance.now();
  const utf8 = new TextDecoder();
  let rest = "";
  for await (const piece of await bodyOf("/events")) {
    const lines = (rest + utf8.decode(piece as Buffer, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { object } = JSON.parse(line) as { object: { metadata: Record<string, string> } };
      held.set(`${object.metadata["namespace"]}/${object.metadata["name"]}`, object);
    }
  }
  return { ...figures(startMs, stalls), held: held.size };
}

/** An informer from its start to the last of the list's adds, then what is wanted of it. */
async function inform(): Promise<Record<string, number>> {
  const added = new Counter();
  const updated = new Counter();
  const changed = new Counter();
  const latencies: number[] = [];
  const stalls = new StallWatch();
  const startMs = performance.now();
  const running = await startInformer(kind as Kind, server, {
    added: () => {
      added.tell();
      changed.tell();
    },
    updated: (pod) => {
      updated.tell();
      changed.tell();
      const sent = metadataOf(pod)?.annotations?.["sent"];
      if (sent !== undefined) latencies.push(Number(process.hrtime.bigint() - BigInt(sent)) / 1000);
    },
    deleted: () => changed.tell(),
  });
  await added.until(pods);
  let result = figures(startMs, stalls);
  if (what !== "sync") {
    // The watch follows the list in a request of its own.
    await new Promise((resolve) => setTimeout(resolve, 300));
    result = await follow({ added, updated, changed }, latencies, result);
  }
  result["objects"] = running.count();
  await running.stop();
  return result;
}

async function follow(
  told: Record<"added" | "updated" | "changed", Counter>,
  latencies: number[],
  sync: Record<string, number>,
): Promise<Record<string, number>> {
  const stalls = new StallWatch();
  const startMs = performance.now();
  if (what === "events") {
    const done = told.changed.until(told.changed.count + events);
    await command("stream");
    await done;
  } else if (what === "relist") {
    // Each of the pods is told as an update again.
    const done = told.updated.until(told.updated.count + pods);
    await command("expire");
    await done;
    return { ...figures(startMs, stalls), syncMs: sync["ms"] ?? 0 };
  } else if (what === "latency") {
    const seconds = 4;
    const done = told.updated.until(hertz * seconds);
    await command(`rate?hz=${hertz}&seconds=${seconds}`);
    await done;
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
    return { ...figures(startMs, stalls), p50: at(0.5), p90: at(0.9), p99: at(0.99) };
  }
  return figures(startMs, stalls);
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  parse,
  retain,
};
console.log(JSON.stringify(await (measurements[what] ?? inform)()));
process.exit(0);
