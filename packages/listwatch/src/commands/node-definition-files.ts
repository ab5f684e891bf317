import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import { describeError } from "@listwatch/core-fifo/base";

// As `listwatch fake --load` takes them.
const extensions = new Set([".yaml", ".yml", ".json"]);

/**
 * The documents of YAML and JSON files, of all such files in folders and below them, and of the
 * standard input (`-`).
 *
 * @throws {Error} that names what cannot be read
 */
export async function readDocuments(paths: readonly string[]): Promise<unknown[]> {
  const { parseAllDocuments } = await import("yaml");
  const documents: unknown[] = [];
  for (const path of paths) {
    for (const file of await filesOf(path)) {
      // JSON is YAML, too.
      const text = await readText(file);
      for (const document of parseAllDocuments(text, { logLevel: "error", merge: true })) {
        const [error] = document.errors;
        if (error !== undefined) throw unreadable(file, error);
        documents.push(document.toJS());
      }
    }
  }
  return documents;
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (path === "-") return [path];
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: true });
    return names
      .filter((name) => extensions.has(extname(name)))
      .toSorted()
      .map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readText(file: string): Promise<string> {
  if (file === "-") return textOfStream(process.stdin);
  return readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

function unreadable(file: string, cause: unknown): Error {
  const name = file === "-" ? "the standard input" : file;
  return new Error(`Cannot read ${name}: ${describeError(cause)}`, { cause });
}
