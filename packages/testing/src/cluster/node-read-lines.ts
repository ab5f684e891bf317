import { readFile } from "node:fs/promises";

/** Returns the lines of a file. */
export async function readLines(file: string): Promise<readonly string[]> {
  return (await readFile(file, "utf8")).split("\n");
}
