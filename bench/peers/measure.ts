import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { languages } from "./languages.ts";
import { kindsOf, type Peer } from "./peers.ts";

/** Measurements of one process; undefined where machine or language provide none. */
export interface Figures {
  /** Time from the start of the informer, not of its process, to its last add. */
  readonly syncMs: number;
  /** Largest resident memory of the process until then. */
  readonly peakBytes: number | undefined;
  /** Live bytes after a collection, minus those before the start. */
  readonly heapBytes: number | undefined;
  readonly eventsPerSecond: number;
}

export interface Size {
  readonly pods: number;
  readonly events: number;
}

// An informer takes seconds; after this time it must be stuck.
const limitMs = 180_000;
const pollMs = 10;
/** Time after the request for a watch in which its informer reads the head of the response. */
const settleMs = 300;

/**
 * Runs the informer of a row once in a separate process. The clock of this process times all of
 * them by their printed lines: `started`, `synced`, `heap BYTES`, `done`. They wait for a line
 * before they measure their heap and before they exit.
 */
export async function measurePeer(peer: Peer, server: string, size: Size): Promise<Figures> {
  await order(server, "restore");
  const { run } = languages[peer.language];
  const [command = "", ...args] = run;
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      ...process.env,
      ...peer.environment,
      SERVER: server,
      PODS: String(size.pods),
      EVENTS: String(size.events),
      KINDS: String(kindsOf[peer.cached]),
      LIST: peer.list,
      // client-go's switch.
      KUBE_FEATURE_WatchListClient: String(peer.list === "streamed"),
    },
  });
  const exited = once(child, "close");
  // A process that has exited does not read its orders, and its missing line reports that.
  child.stdin.on("error", () => undefined);
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  try {
    return await follow(child, server, { ...size, watches: kindsOf[peer.cached] || 1 });
  } finally {
    child.stdin.end();
    await exited;
    clearTimeout(timer);
  }
}

async function follow(
  child: ChildProcess,
  server: string,
  { events, watches }: Size & { readonly watches: number },
): Promise<Figures> {
  const { pid, stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("Expected pipes to the informer");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const timeOf = async (word: string): Promise<number> => {
    await expectLine(lines, word);
    return performance.now();
  };
  const startedMs = await timeOf("started");
  const syncMs = (await timeOf("synced")) - startedMs;
  const peakBytes = peakBytesOf(pid);
  stdin.write("\n");
  const heap = Number(await expectLine(lines, "heap"));
  while (child.exitCode === null && Number(await order(server, "watches")) < watches) {
    await sleep(pollMs);
  }
  await sleep(settleMs);
  const orderedMs = performance.now();
  const ordered = order(server, "stream");
  const eventsMs = (await timeOf("done")) - orderedMs;
  await ordered;
  return {
    syncMs,
    peakBytes,
    heapBytes: Number.isNaN(heap) ? undefined : heap,
    eventsPerSecond: (events * 1000) / eventsMs,
  };
}

/** Reads the next line, which must begin with a word; resolves to the rest. */
async function expectLine(lines: AsyncIterator<string>, word: string): Promise<string> {
  const { done, value } = await lines.next();
  if (done === true) throw new Error(`ended before it said ${word}`);
  if (!value.startsWith(word)) throw new Error(`expected ${word}, it said ${value}`);
  return value.slice(word.length).trim();
}

/** Only Linux provides it for other processes. */
function peakBytesOf(pid: number | undefined): number | undefined {
  if (process.platform !== "linux") return undefined;
  const [, kilobytes] =
    /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

async function order(server: string, command: string): Promise<string> {
  return (await fetch(`${server}/control/${command}`)).text();
}
