import { stripVTControlCharacters } from "node:util";
import type { ReadStream, WriteStream } from "node:tty";

/** Size of the terminal in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The streams and settings of the program. */
export interface TerminalOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly errors: NodeJS.WritableStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

// Alternate screen and hidden cursor, so that the shell's own lines are there again afterwards.
const enter = "\x1b[?1049h\x1b[?25l\x1b[2J";
const leave = "\x1b[?25h\x1b[?1049l";
// Synchronised update: terminals that know it show a frame whole, others ignore it.
const [beginUpdate, endUpdate] = ["\x1b[?2026h", "\x1b[?2026l"];
const [home, clearLine, clearBelow] = ["\x1b[H", "\x1b[K", "\x1b[J"];

/**
 * All that the demo prints goes through here: lines, or frames while a full-screen view has the
 * terminal. {@link Terminal.restore} gives it back as it was, from any state.
 */
export class Terminal {
  /** Whether keys can be read and frames drawn; otherwise there are only lines. */
  readonly isInteractive: boolean;
  readonly #options: TerminalOptions;
  /** See https://no-color.org. */
  readonly #hasColors: boolean;
  #onKey: ((key: string) => void) | undefined;
  #open = false;

  constructor(options: TerminalOptions) {
    const { environment, input, output } = options;
    this.#options = options;
    this.isInteractive = input.isTTY && output.isTTY && environment["TERM"] !== "dumb";
    this.#hasColors = (environment["NO_COLOR"] ?? "") === "";
  }

  get size(): Size {
    const { columns, rows } = this.#options.output;
    // A pseudo-terminal without a size says 0.
    return { columns: columns || 80, rows: rows || 24 };
  }

  /** Prints a line without styles; not while a view is open. */
  print(line: string): void {
    this.#options.output.write(`${line}\n`);
  }

  /** Prints a line on the error output. */
  printError(line: string): void {
    this.#options.errors.write(`${line}\n`);
  }

  /**
   * @param onKey called with each key; Ctrl-C is `"\x03"`, because a terminal in raw mode sends no
   *   signal; keys without a character, such as the arrows, are left out
   */
  open(onKey: (key: string) => void, onResize: () => void): void {
    const { input, output } = this.#options;
    this.#open = true;
    this.#onKey = (text) => {
      for (const key of stripVTControlCharacters(text)) onKey(key);
    };
    output.write(enter);
    output.on("resize", onResize);
    input.setRawMode(true);
    input.setEncoding("utf8");
    input.on("data", this.#onKey);
    input.resume();
  }

  draw(lines: readonly string[]): void {
    if (!this.#open) return;
    const shown = this.#hasColors ? lines : lines.map((line) => stripVTControlCharacters(line));
    const frame = shown.map((line) => `${line}${clearLine}`).join("\r\n");
    this.#options.output.write(`${beginUpdate}${home}${frame}${clearBelow}${endUpdate}`);
  }

  restore(): void {
    if (!this.#open) return;
    this.#open = false;
    const { input, output } = this.#options;
    output.removeAllListeners("resize");
    if (this.#onKey !== undefined) input.off("data", this.#onKey);
    input.setRawMode(false);
    // A paused input does not keep the process alive.
    input.pause();
    output.write(leave);
  }
}
