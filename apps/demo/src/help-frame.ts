import type { KeyAction } from "./keys.ts";
import { StyledLine } from "./styled-line.ts";
import type { Size } from "./terminal.ts";

const about = [
  "An informer keeps a copy of a collection on an API server, and tells handlers what changed.",
  "Each change goes through its stages from left to right. The dots are changes, slowed down so",
  "that eyes can follow; the numbers are measured. Lines with ✓ are proofs: the demo has listed",
  "the server at the version of the cache, and has compared each object, member by member.",
];

/** Draws what the keys do: exactly as many lines as the terminal has, none wider than it. */
export function renderHelp({ columns, rows }: Size, keys: readonly KeyAction[]): string[] {
  const lines = [
    new StyledLine(columns).add(" listwatch demo", "bold", "cyan").toString(),
    "",
    ...wrap(about.join(" "), columns - 2).map((line) => {
      return new StyledLine(columns).add(` ${line}`).toString();
    }),
    "",
    ...keys.flatMap((key) => keyLines(key, columns)),
    "",
    new StyledLine(columns).add(" ? goes back; the other keys work here too", "dim").toString(),
  ];
  while (lines.length < rows) lines.push("");
  return lines.slice(0, rows);
}

function keyLines({ help, isHere, key }: KeyAction, columns: number): string[] {
  const text = isHere ? help : `${help} (not on a cluster of yours)`;
  return wrap(text, columns - 6).map((part, index) => {
    const line = new StyledLine(columns).add(" ");
    if (index === 0) line.add(` ${key} `, "inverse");
    line.to(5);
    return (isHere ? line.add(part) : line.add(part, "dim")).toString();
  });
}

/** Breaks a text between words. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  lines.push(line);
  return lines;
}
