/** A fenced block of code in a Markdown file. */
export interface Fence {
  /** For example `sh` or `ts`. */
  readonly language: string;
  /** The rest of the line after the language, such as `title="pods.mjs"`. */
  readonly attributes: string;
  readonly text: string;
  /** The line of the block's beginning, starting at 1. */
  readonly line: number;
}

/** Returns the fenced blocks of a Markdown file, with the indent of a list removed. */
export function fencesIn(markdown: string): readonly Fence[] {
  const pattern = /^([ \t]*)```(\w+)[ \t]*([^\n]*)\n([\s\S]*?)^\1```[ \t]*$/gm;
  return [...markdown.matchAll(pattern)].map(
    ({ 1: indent = "", 2: language = "", 3: attributes = "", 4: text = "", index }) => ({
      language,
      attributes: attributes.trim(),
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: markdown.slice(0, index).split("\n").length,
    }),
  );
}

/** Returns the file name in a block's title; undefined if it has none. */
export function titleOf({ attributes }: Fence): string | undefined {
  return /title="([^"]+)"/.exec(attributes)?.[1];
}
