import { styleText } from "node:util";
import { printable } from "./plain-text.ts";

/** A way to print text: the basic attributes, which every terminal shows in its own palette. */
export type Style =
  | "bold"
  | "dim"
  | "inverse"
  | "red"
  | "green"
  | "yellow"
  | "blue"
  | "magenta"
  | "cyan";

/**
 * One line of a terminal, built from left to right; what does not fit is cut off. Each character is
 * one column wide.
 */
export class StyledLine {
  readonly #columns: number;
  #text = "";
  #width = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  add(text: string, ...styles: readonly Style[]): this {
    const visible = printable(text).slice(0, this.#columns - this.#width);
    this.#width += visible.length;
    // The terminal decides whether colours are shown, for the frame as a whole.
    this.#text +=
      styles.length === 0 || visible === ""
        ? visible
        : styleText([...styles], visible, { validateStream: false });
    return this;
  }

  /** Fills with spaces up to a column, counted from 0. */
  to(column: number): this {
    return this.add(" ".repeat(Math.max(0, Math.min(column, this.#columns) - this.#width)));
  }

  toString(): string {
    return this.#text;
  }
}
