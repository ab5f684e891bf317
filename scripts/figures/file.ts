import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
// @boundaries-ignore the commands write what the pages of the site show
import type { Figures } from "../../apps/docs/src/data/figures.ts";

export type { Figures };

/** The parts that commands write; the rest is written by hand. */
export type MeasuredPart = Exclude<keyof Figures, "comparison">;

const file = new URL("../../apps/docs/src/data/figures.json", import.meta.url).pathname;

export function readFigures(): Figures {
  return JSON.parse(readFileSync(file, "utf8")) as Figures;
}

/** Replaces parts of the file and keeps the others. */
export function writeFigures(parts: Partial<Pick<Figures, MeasuredPart>>): void {
  writeFileSync(file, JSON.stringify({ ...readFigures(), ...parts }));
  execFileSync("oxfmt", [file]);
}
