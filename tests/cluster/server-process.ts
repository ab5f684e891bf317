import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { endWithProgram } from "./child-processes.ts";

/** A server in a separate process, with its output in a file. */
export class ServerProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #ended: Promise<void>;
  #isRunning = true;

  constructor(command: string, args: readonly string[], log: string) {
    this.#name = command;
    this.#log = log;
    const file = openSync(log, "a");
    // In the process group of this program, so that a signal to the group ends it too.
    this.#child = spawn(command, args, { stdio: ["ignore", file, file] });
    closeSync(file);
    endWithProgram(this.#child);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    const end = (): void => {
      this.#isRunning = false;
      resolve();
    };
    this.#child.once("exit", end).once("error", end);
  }

  /** Kills the process, as in a crash. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** Polls until ready. Throws with the end of the log if the server exits first. */
  async until(isReady: () => Promise<boolean>, withinMs: number): Promise<void> {
    const endMs = Date.now() + withinMs;
    while (!(await isReady().catch(() => false))) {
      if (!this.#isRunning || Date.now() > endMs) {
        const late = `is not ready within ${withinMs / 1000} s`;
        const what = this.#isRunning ? late : "has ended";
        const lines = readFileSync(this.#log, "utf8").trimEnd().split("\n").slice(-20);
        throw new Error(`${this.#name} ${what}; the end of its log:\n${lines.join("\n")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
