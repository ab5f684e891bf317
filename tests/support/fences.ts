/** A fenced block of code in a Markdown file. */
export interface Fence {
  /** Such as `sh` or `ts`. */
  readonly language: string;
  /** What follows the language, such as `title="pods.mjs"`. */
  readonly attributes: string;
  readonly text: string;
  /** Where the block begins, counted from 1. */
  readonly line: number;
}

/** The fenced blocks of a Markdown file; those inside of an indented list too, without its indent. */
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

/** The name of the file that a block shows; undefined if it has none. */
export function titleOf({ attributes }: Fence): string | undefined {
  return /title="([^"]+)"/.exec(attributes)?.[1];
}
