import { emitKeypressEvents } from "node:readline";
import { stripVTControlCharacters } from "node:util";

type ProcessOfTerminal = Pick<NodeJS.Process, "env" | "stdin" | "stdout">;

// Alternate screen and hidden cursor: the lines of the shell are back afterwards.
const enter = "\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H Starting";
const leave = "\x1b[?25h\x1b[?1049l";
// Synchronised update: terminals that support it show a frame at once, others ignore it.
const [beginUpdate, endUpdate] = ["\x1b[?2026h", "\x1b[?2026l"];
const [home, clearLine, clearBelow] = ["\x1b[H", "\x1b[K", "\x1b[J"];

/**
 * The output of the demo: lines, or pictures between {@link Terminal.open} and
 * {@link Terminal.close}. Keys that are typed before {@link Terminal.listen} are kept for it.
 */
export class Terminal {
  /** Whether keys can be read and pictures drawn; otherwise there are only lines. */
  readonly isInteractive: boolean;
  readonly #process: ProcessOfTerminal;
  readonly #typed: string[] = [];
  #onKey = (key: string): void => void this.#typed.push(key);
  #isOpen = false;

  constructor(process: ProcessOfTerminal) {
    const { env, stdin, stdout } = process;
    this.#process = process;
    this.isInteractive = stdin.isTTY && stdout.isTTY && env["TERM"] !== "dumb";
  }

  get size(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = this.#process.stdout;
    // A pseudo-terminal without a size reports 0.
    return { columns: columns || 80, rows: rows || 24 };
  }

  /** Switches to pictures and single keys, where there is a terminal. */
  open(): void {
    if (!this.isInteractive) return;
    const { stdin, stdout } = this.#process;
    this.#isOpen = true;
    stdout.write(enter);
    stdin.setRawMode(true);
    // It puts escape sequences together; those of keys such as the arrows have no text.
    emitKeypressEvents(stdin);
    stdin.on("keypress", (text?: string) => text !== undefined && this.#onKey(text.toLowerCase()));
    stdin.resume();
  }

  /** Calls `onKey` with each key, first with those typed so far; Ctrl-C is `"\x03"`. */
  listen(onKey: (key: string) => void): void {
    this.#onKey = onKey;
    for (const key of this.#typed.splice(0)) onKey(key);
  }

  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    const { env, stdout } = this.#process;
    // See https://no-color.org.
    const isPlain = (env["NO_COLOR"] ?? "") !== "";
    const shown = isPlain ? lines.map((line) => stripVTControlCharacters(line)) : lines;
    const frame = shown.map((line) => `${line}${clearLine}`).join("\r\n");
    stdout.write(`${beginUpdate}${home}${frame}${clearBelow}${endUpdate}`);
  }

  /** Prints a line without styles, where no pictures are drawn. */
  print(line: string): void {
    if (!this.#isOpen) this.#process.stdout.write(`${stripVTControlCharacters(line)}\n`);
  }

  /** Restores the terminal; does nothing if it is not open. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { stdin, stdout } = this.#process;
    // A paused input does not keep the process alive.
    stdin.removeAllListeners("keypress").pause();
    stdin.setRawMode(false);
    stdout.write(leave);
  }
}
