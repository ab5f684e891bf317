import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import { decodeText, describeError } from "@listwatch/core-fifo/base";

// Same as for `listwatch fake --load`.
const extensions = new Set([".yaml", ".yml", ".json"]);

/**
 * Reads the documents of YAML and JSON files, of all such files in and below folders, and of
 * standard input (`-`).
 *
 * @throws {Error} with the unreadable path
 */
export async function readDocuments(paths: readonly string[]): Promise<unknown[]> {
  const { readYaml } = await import("@listwatch/fake-apiserver/yaml");
  const documents: unknown[] = [];
  for (const path of paths) {
    for (const file of await filesOf(path)) {
      // JSON is also YAML.
      const text = await readText(file);
      try {
        documents.push(...readYaml(text));
      } catch (error) {
        throw unreadable(file, error);
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
  try {
    return decodeText(await readFile(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): Error {
  const name = file === "-" ? "the standard input" : file;
  return new Error(`Cannot read ${name}: ${describeError(cause)}`, { cause });
}
