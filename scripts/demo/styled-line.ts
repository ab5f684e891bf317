const codes = {
  bold: 1,
  dim: 2,
  inverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  cyan: 36,
} as const;

/** A way to print text: the basic attributes, which every terminal shows in its own palette. */
export type Style = keyof typeof codes;

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
    const printable = clean(text).slice(0, this.#columns - this.#width);
    this.#width += printable.length;
    const prefix = styles.map((style) => `\x1b[${codes[style]}m`).join("");
    this.#text += prefix === "" || printable === "" ? printable : `${prefix}${printable}\x1b[0m`;
    return this;
  }

  /** Fills with spaces up to a column, counted from 0. */
  to(column: number, ...styles: readonly Style[]): this {
    return this.add(
      " ".repeat(Math.max(0, Math.min(column, this.#columns) - this.#width)),
      ...styles,
    );
  }

  toString(): string {
    return this.#text;
  }
}

/** Text from a server may hold anything; a control character must not reach the terminal. */
export function clean(text: string): string {
  return text.replaceAll(/\p{C}+/gu, " ");
}
