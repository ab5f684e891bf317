import { styleText } from "node:util";

/** Attributes and colours that every terminal shows in its own palette. */
export type Style = "bold" | "dim" | "inverse" | Color;
type Color = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

/**
 * One line of text with styles, built from left to right and cut at its width. Each character is
 * one column wide.
 */
export class Line {
  readonly #columns: number;
  #text = "";
  #width = 0;

  constructor(columns: number = Infinity) {
    this.#columns = columns;
  }

  add(text: string, ...styles: readonly Style[]): this {
    const visible = printable(text).slice(0, this.#columns - this.#width);
    this.#width += visible.length;
    // The terminal removes colours from whole frames, so that each line can have them.
    this.#text +=
      styles.length === 0 || visible === ""
        ? visible
        : styleText([...styles], visible, { validateStream: false });
    return this;
  }

  /** Adds spaces up to a column, counted from 0. */
  to(column: number): this {
    return this.add(" ".repeat(Math.max(0, Math.min(column, this.#columns) - this.#width)));
  }

  toString(): string {
    return this.#text;
  }
}

/** Breaks a sentence between words. */
export function wrap(text: string, width: number): readonly string[] {
  return text.match(new RegExp(`\\S.{0,${Math.max(0, width - 1)}}(?!\\S)`, "g")) ?? [];
}

// Text from a server may contain sequences that control the terminal.
function printable(text: string): string {
  return text.replaceAll(/\p{C}+/gu, " ");
}
