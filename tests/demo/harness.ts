import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const root = new URL("../..", import.meta.url).pathname;
const hangMs = 10 * 60_000;
const tests: { readonly name: string; readonly run: () => Promise<void> | void }[] = [];

/** Registers a test; {@link runTests} runs them in this order. */
export function test(name: string, run: () => Promise<void> | void): void {
  tests.push({ name, run });
}

/** As {@link test}, for what needs a pseudo-terminal; says so where none can be made. */
export function testInTerminal(name: string, run: () => Promise<void>): void {
  const { error, stdout } = spawnSync("script", ["--version"], { encoding: "utf8" });
  if (error === undefined && stdout.includes("util-linux")) test(name, run);
  else console.log(`not on this machine (no "script" of util-linux): ${name}`);
}

/** Runs everything, prints each result, and the counts as the last line. */
export async function runTests(): Promise<void> {
  let failed = 0;
  for (const { name, run } of tests) {
    try {
      await run();
      console.log(`ok    ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    } finally {
      for (const program of Program.running) program.kill();
    }
  }
  console.log(`${tests.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** A program that runs, and what it has printed. */
export class Program {
  /** Programs that a failed test left running. */
  static readonly running = new Set<Program>();

  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";
  #errors = "";
  #text = "";
  /** The end of the output that may be the beginning of a control sequence. */
  #cut = "";
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;

  constructor(command: string, args: readonly string[]) {
    // As at a desk: Node gives no colours to what a CI system runs.
    const desk = { CI: undefined, FORCE_COLOR: undefined, NO_COLOR: undefined };
    const env = { ...process.env, ...desk, TERM: "xterm-256color" };
    this.#child = spawn(command, args, { cwd: root, env, detached: true });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
      const all = this.#cut + text;
      const last = all.lastIndexOf("\u001b");
      const end = last === -1 || /[A-Za-z]/.test(all.slice(last)) ? all.length : last;
      this.#text += stripVTControlCharacters(all.slice(0, end));
      this.#cut = all.slice(end);
    });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    this.exited = promise;
    Program.running.add(this);
    this.#child.once("error", reject).once("close", (code) => {
      Program.running.delete(this);
      resolve(code);
    });
  }

  /** The demo without a terminal, as `npm start -- ...`. */
  static demo(...args: readonly string[]): Program {
    return new Program("npm", ["start", "--silent", "--", ...args]);
  }

  /** A command line of the shell in a pseudo-terminal, which `script` of util-linux makes. */
  static inTerminal(command: string): Program {
    return new Program("script", ["-qfec", command, "/dev/null"]);
  }

  get output(): string {
    return this.#output;
  }

  get errors(): string {
    return this.#errors;
  }

  /** The output without control sequences: of a terminal, all pictures one after the other. */
  get text(): string {
    return this.#text;
  }

  get lines(): readonly string[] {
    return this.#output.split(/\r?\n/);
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Sends a SIGINT to the whole group of processes, as Ctrl-C in a shell does. */
  interrupt(): void {
    this.#signal("SIGINT");
  }

  terminate(): void {
    this.#signal("SIGTERM");
  }

  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }

  /** Waits until the output is as wanted; fails with what was there instead. */
  until(what: string, condition: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (): void => {
      const shown = `${this.text.slice(-3000)}\n${this.#errors}`;
      reject(
        new assert.AssertionError({ message: `expected ${what}; the program shows:\n${shown}` }),
      );
    };
    // Only a program that hangs takes longer, even on a busy machine.
    const limit = setTimeout(fail, hangMs);
    const look = (): void => {
      if (condition()) resolve();
    };
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.on("data", look);
    this.#child.once("close", fail);
    look();
    return promise.finally(() => {
      clearTimeout(limit);
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream.off("data", look);
      this.#child.off("close", fail);
    });
  }
}
