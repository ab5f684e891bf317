import { decodeText, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { type Document, isMap, isNode, isSeq, LineCounter } from "yaml";
import { MalformedBodyError } from "../input/errors.ts";
import { yamlValue } from "../input/decode-yaml.ts";
import { isFault, parseYaml } from "../input/parse-yaml.ts";

/** A manifest that cannot be used; the message names file and line. */
export class ManifestError extends Error {
  override readonly name: string = "ManifestError";
  readonly code = "LW_MANIFEST" as const;
  readonly file: string;
  /** Counted from 1; undefined if the file could not be read at all. */
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, text: string, options?: ErrorOptions) {
    super(`${line === undefined ? file : `${file}:${line}`}: ${text}`, options);
    this.file = file;
    this.line = line;
  }
}

/** One object of a manifest file, and where it stands. */
export interface Manifest {
  readonly file: string;
  /** First line of the object, counted from 1. */
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
}

const manifestExtensions = new Set([".yaml", ".yml", ".json"]);

/**
 * Reads the objects of a YAML or JSON file with any number of documents, or of all such files in a
 * folder and below it, in the order of their names. A List is taken apart into its items.
 *
 * @throws {@link ManifestError}
 */
export async function readManifests(path: string): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  for (const file of await manifestFiles(path)) manifests.push(...(await readFileManifests(file)));
  return manifests;
}

async function manifestFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: true });
    return names
      .filter((name) => manifestExtensions.has(extname(name)))
      .toSorted()
      .map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readFileManifests(file: string): Promise<readonly Manifest[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const text = decodeText(bytes);
  const lineCounter = new LineCounter();
  const manifests: Manifest[] = [];
  for (const document of parseYaml(text, lineCounter)) {
    const value = valueOf(file, document, lineCounter);
    // Empty documents are usual: a file that ends with "---", a comment before the first one.
    if (value === null) continue;
    const place: Place = { file, node: document.contents, line: 1, lineCounter };
    manifests.push(...manifestsOf(place, value));
  }
  return manifests;
}

function valueOf(file: string, document: Document.Parsed, lineCounter: LineCounter): unknown {
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  const problem = document.errors.find(isFault);
  if (problem !== undefined) {
    throw new ManifestError(file, lineAt(problem.pos[0]), problem.message);
  }
  try {
    const { duplicates, value } = yamlValue(document);
    const [duplicate] = duplicates;
    if (duplicate === undefined) return value;
    const text = `The key ${JSON.stringify(duplicate.key)} is already set in its mapping`;
    throw new ManifestError(file, lineAt(duplicate.offset), text);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw new ManifestError(file, lineAt(document.range[0]), error.message, { cause: error });
  }
}

/** Where a value stands in a file. */
interface Place {
  readonly file: string;
  /** The node that was parsed to the value; without a type, because an alias has no such node. */
  readonly node: unknown;
  /** The line to name for a value without a node. */
  readonly line: number;
  readonly lineCounter: LineCounter;
}

function manifestsOf(place: Place, value: unknown): readonly Manifest[] {
  const { file } = place;
  const line = lineOf(place);
  if (!isRecord(value)) throw new ManifestError(file, line, "Expected an object");
  const { apiVersion, kind, items } = value;
  if (typeof apiVersion !== "string") {
    throw new ManifestError(file, line, "Expected the text field apiVersion");
  }
  if (typeof kind !== "string") throw new ManifestError(file, line, "Expected the text field kind");
  if (kind === "List" && Array.isArray(items)) {
    const nodes = isMap(place.node) ? place.node.get("items", true) : undefined;
    return items.flatMap((item: unknown, index) => {
      const node = isSeq(nodes) ? nodes.items[index] : undefined;
      return manifestsOf({ ...place, node, line }, item);
    });
  }
  return [{ file, line, apiVersion, kind, object: value }];
}

function lineOf({ node, line, lineCounter }: Place): number {
  const start = isNode(node) ? node.range?.[0] : undefined;
  return start === undefined ? line : lineCounter.linePos(start).line;
}

function unreadable(file: string, cause: unknown): ManifestError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "No such file or folder",
    EACCES: "Permission denied",
  };
  const text = reasons[code] ?? `Cannot be read (${code})`;
  return new ManifestError(file, undefined, text, { cause });
}
