import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { describeError } from "@listwatch/core-fifo/base";
import { restoreState, saveState } from "../server/saved-state.ts";

/**
 * Loads the state in a file into a server.
 *
 * @returns the number of objects; `undefined` if the file does not exist
 * @throws {Error} for a file that cannot be used
 */
export async function loadState(server: object, path: string): Promise<number | undefined> {
  try {
    const content = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    return content === undefined ? undefined : await restoreState(server, JSON.parse(content));
  } catch (error) {
    throw new Error(`Cannot use the state in ${path}: ${describeError(error)}`, { cause: error });
  }
}

/** Writes the state of a server to a file. */
export function storeState(server: object, path: string): Promise<void> {
  return replaceFile(path, `${JSON.stringify(saveState(server))}\n`);
}

/** Writes a file at once: a reader sees either the former content or the whole new one. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const written = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(written, content, { flag: "wx", mode: 0o600 });
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}
