import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const condition = "--conditions=@listwatch/source";
// The program is passed as standard input, so that it resolves packages from the root.
const runtimeArguments =
  "Deno" in globalThis
    ? ["run", "-A", "--no-lock", "--no-check", condition, "-"]
    : "Bun" in globalThis
      ? ["run", condition, "-"]
      : ["--input-type=module", condition, "-"];

/** A program that runs in a process of the current runtime. */
export class Program {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;
  readonly #waits = new Set<() => void>();
  /** All output, of stdout and stderr. */
  output = "";

  /** @param stderr descriptor of the file that gets stderr instead of `output` */
  constructor(
    text: string,
    environment: Readonly<Record<string, string>> = {},
    stderr: number | "pipe" = "pipe",
  ) {
    const child = spawn(process.execPath, runtimeArguments, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ["pipe", "pipe", stderr],
    });
    this.#child = child;
    this.#closed = once(child, "close");
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part: Buffer) => {
        this.output += part.toString();
        for (const look of this.#waits) look();
      });
    }
    child.stdin?.end(text);
  }

  /** Lines of the log in JSON. */
  get lines(): readonly Readonly<Record<string, unknown>>[] {
    const lines = this.output.split("\n").filter((line) => line.startsWith("{"));
    return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }

  /** Resolves when the output contains this. Throws with the output if the program ends before. */
  async shows(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.output.includes(text)) resolve();
    };
    this.#waits.add(look);
    look();
    await Promise.race([promise, this.#closed]);
    this.#waits.delete(look);
    if (!this.output.includes(text)) throw new Error(`Expected ${text}, got ${this.output}`);
  }

  kill(signal: NodeJS.Signals): void {
    // After `child.kill` Deno reports the signal instead of the exit code.
    process.kill(Number(this.#child.pid), signal);
  }

  /** Resolves with the exit code, when all output has arrived. */
  async exitCode(): Promise<unknown> {
    const [code, signal] = await this.#closed;
    return code ?? signal;
  }
}
