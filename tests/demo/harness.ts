import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

const root = new URL("../..", import.meta.url).pathname;
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
  /** What a failed test left running. */
  static readonly running = new Set<Program>();

  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";
  #errors = "";
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;

  constructor(command: string, args: readonly string[]) {
    // As at a desk: Node gives no colours to what a CI system runs.
    const desk = { CI: undefined, FORCE_COLOR: undefined, NO_COLOR: undefined };
    const env = { ...process.env, ...desk, TERM: "xterm-256color" };
    this.#child = spawn(command, args, { cwd: root, env, detached: true });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
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

  /** The demo in a pseudo-terminal, which `script` of util-linux makes on every Linux. */
  static demoInTerminal(columns: number, rows: number, ...args: readonly string[]): Program {
    const size = `stty cols ${columns} rows ${rows}`;
    return Program.inTerminal(`${size}; npm start --silent -- ${args.join(" ")}`);
  }

  /** A command line of the shell in a pseudo-terminal. */
  static inTerminal(command: string): Program {
    return new Program("script", ["-qfec", command, "/dev/null"]);
  }

  get output(): string {
    return this.#output;
  }

  get errors(): string {
    return this.#errors;
  }

  get lines(): readonly string[] {
    return this.#output.split(/\r?\n/);
  }

  /** What is on the screen: the text of the last whole frame. */
  get screen(): string {
    return stripVTControlCharacters(this.#lastFrame());
  }

  #lastFrame(): string {
    const frames = this.#output.split("\u001b[H");
    const frame = frames.length > 2 ? frames.at(-2) : frames.at(-1);
    return frame ?? "";
  }

  get screenLines(): readonly string[] {
    return this.screen.split(/\r*\n/);
  }

  /** What is on the screen, with its colours. */
  get styledScreen(): string {
    return this.#lastFrame();
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** What Ctrl-C in a shell does: a SIGINT to the whole group of processes. */
  interrupt(): void {
    this.#signal("SIGINT");
  }

  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }

  /** Waits until something shows; fails with what was there instead. */
  async until(what: string, condition: () => boolean, withinMs = 300_000): Promise<void> {
    const end = Date.now() + withinMs;
    while (!condition()) {
      if (Date.now() > end || this.#child.exitCode !== null) {
        const shown = `${this.screen.slice(-3000)}\n${this.#errors}`;
        assert.fail(`expected ${what} within ${withinMs} ms; the program shows:\n${shown}`);
      }
      await delay(50);
    }
  }
}
