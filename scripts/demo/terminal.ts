import type { ReadStream, WriteStream } from "node:tty";
import type { Size } from "./live-frame.ts";

// Alternate screen and hidden cursor, so that the shell's own lines are there again afterwards.
const enter = "\x1b[?1049h\x1b[?25l\x1b[2J";
const leave = "\x1b[?25h\x1b[?1049l";
// Synchronised update: terminals that know it show a frame whole, others ignore it.
const [beginUpdate, endUpdate] = ["\x1b[?2026h", "\x1b[?2026l"];
const [home, clearLine, clearBelow] = ["\x1b[H", "\x1b[K", "\x1b[J"];

/**
 * The terminal while a full-screen view has it. {@link Terminal.restore} gives it back as it was,
 * from any state.
 */
export class Terminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  #onKey: ((key: string) => void) | undefined;
  #open = false;

  constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  get size(): Size {
    // A pseudo-terminal without a size says 0.
    return { columns: this.#output.columns || 80, rows: this.#output.rows || 24 };
  }

  /**
   * @param onKey called with each key; Ctrl-C is `"\x03"`, because a terminal in raw mode sends no
   *   signal
   */
  open(onKey: (key: string) => void, onResize: () => void): void {
    this.#open = true;
    this.#onKey = (text) => {
      for (const key of text) onKey(key);
    };
    this.#output.write(enter);
    this.#output.on("resize", onResize);
    this.#input.setRawMode(true);
    this.#input.setEncoding("utf8");
    this.#input.on("data", this.#onKey);
    this.#input.resume();
  }

  draw(lines: readonly string[]): void {
    if (!this.#open) return;
    const text = lines.map((line) => `${line}${clearLine}`).join("\r\n");
    this.#output.write(`${beginUpdate}${home}${text}${clearBelow}${endUpdate}`);
  }

  restore(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#output.removeAllListeners("resize");
    if (this.#onKey !== undefined) this.#input.off("data", this.#onKey);
    this.#input.setRawMode(false);
    // A paused input does not keep the process alive.
    this.#input.pause();
    this.#output.write(leave);
  }
}
