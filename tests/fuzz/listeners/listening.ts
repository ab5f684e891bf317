import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";

/** A listener in a separate process. */
export interface ListeningProcess {
  readonly runtime: string;
  readonly port: number;
  /** Exit status or signal of the process; undefined while it runs. */
  readonly ended: () => string | undefined;
  readonly close: () => Promise<void>;
}

const root = join(import.meta.dirname, "../../..");
const program = join(import.meta.dirname, "serve.ts");
const conditions = "--conditions=@listwatch/source";
const bin = (name: string): string => join(root, "node_modules/.bin", name);

const isNode = !("Deno" in globalThis || "Bun" in globalThis);

/** The command of each runtime. */
const commands: Readonly<Record<string, readonly string[]>> = {
  node: [isNode ? process.execPath : "node", conditions, program],
  deno: [bin("deno"), "run", "-A", conditions, program],
  bun: [bin("bun"), "run", conditions, program],
};

/** Starts a listener on Node, and on Deno and Bun where they are installed. */
export function startListeners(): Promise<readonly ListeningProcess[]> {
  const usable = Object.entries(commands).filter(
    ([runtime]) => runtime === "node" || existsSync(bin(runtime)),
  );
  return Promise.all(usable.map(([runtime, command]) => start(runtime, command)));
}

async function start(
  runtime: string,
  [command = "", ...args]: readonly string[],
): Promise<ListeningProcess> {
  const child = spawn(command, args, { cwd: root, stdio: "pipe" });
  let end: string | undefined;
  let complaints = "";
  child.stderr.on("data", (text) => (complaints = `${complaints}${text}`.slice(-1000)));
  const closed = new Promise<void>((resolve) => {
    child.once("close", (code, signal) => {
      end = `${String(code ?? signal)}: ${complaints}`;
      resolve();
    });
    child.once("error", (error) => {
      end = error.message;
      resolve();
    });
  });
  const port = new Promise<number>((resolve) => {
    createInterface(child.stdout).on("line", (line) => {
      if (line.startsWith("port ")) resolve(Number(line.slice(5)));
    });
  });
  const found = await Promise.race([port, closed]);
  if (found === undefined) throw new Error(`The listener on ${runtime} ended with ${end}`);
  return {
    runtime,
    port: found,
    ended: () => end,
    close: () => {
      child.stdin.end();
      return closed;
    },
  };
}
