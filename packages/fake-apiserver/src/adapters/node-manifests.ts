import { decodeText, isRecord, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { ItemOffsets } from "../input/decode-yaml.ts";
import { LineIndex } from "../input/line-index.ts";
import { readDocuments } from "./manifest-documents.ts";

/** A manifest that cannot be used; the message names file, document and line. */
export class ManifestError extends Error {
  override readonly name: string = "ManifestError";
  readonly code = "LW_MANIFEST" as const;
  readonly file: string;
  /** Counted from 1; undefined if the file could not be read at all. */
  readonly line: number | undefined;
  /** Number of the document in its file, counted from 1; undefined if it is the only one. */
  readonly document: number | undefined;

  constructor(place: ManifestPlace, text: string, options?: ErrorOptions) {
    super(`${describePlace(place)}: ${text}`, options);
    this.file = place.file;
    this.line = place.line;
    this.document = place.document;
  }
}

/** Where a manifest stands. */
export interface ManifestPlace {
  readonly file: string;
  /** First line, counted from 1. */
  readonly line?: number | undefined;
  /** Number of its document in the file, counted from 1; absent if that is the only one. */
  readonly document?: number | undefined;
}

/** One object of a manifest file, and where it stands. */
export interface Manifest extends ManifestPlace {
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
}

/** Called with what cannot be used of files. */
export interface ManifestListener {
  /** Called with each document or item that cannot be used. */
  readonly onError: (error: ManifestError) => void;
  /** Called with a line about each document of a folder that is not a Kubernetes object. */
  readonly onSkipped: (text: string) => void;
}

/** Returns `document 2 of a.yaml:6`. */
export function describePlace({ document, file, line }: ManifestPlace): string {
  const whole = document === undefined ? "" : `document ${document} of `;
  return `${whole}${file}${line === undefined ? "" : `:${line}`}`;
}

const manifestExtensions = new Set([".yaml", ".yml", ".json", ".jsonl", ".ndjson"]);

/**
 * Reads the objects of a file, or of all files in a folder and below it, in the order of their
 * names. A file contains YAML or JSON with any number of documents. Lists are taken apart into
 * their items, which inherit the type of the list.
 *
 * Folders with other files in between are those of `kubectl cluster-info dump` and `oc adm
 * must-gather`.
 */
export async function readManifests(
  path: string,
  listener: ManifestListener,
): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  try {
    const isFolder = (await stat(path)).isDirectory();
    for (const file of isFolder ? await filesIn(path) : [path]) {
      manifests.push(...(await readFileManifests(file, isFolder, listener)));
    }
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    listener.onError(unreadable(path, error));
  }
  return manifests;
}

async function filesIn(path: string): Promise<readonly string[]> {
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => manifestExtensions.has(extname(name)))
    .toSorted()
    .map((name) => join(path, name));
}

async function readFileManifests(
  file: string,
  isInFolder: boolean,
  listener: ManifestListener,
): Promise<readonly Manifest[]> {
  let text: string;
  try {
    text = decodeText(await readFile(file));
  } catch (error) {
    listener.onError(unreadable(file, error));
    return [];
  }
  const lines = new LineIndex(text);
  const manifests: Manifest[] = [];
  const documents = readDocuments(text);
  for (const [index, { error, items, offset, value }] of documents.entries()) {
    const document = documents.length === 1 ? undefined : index + 1;
    const place = { file, document, line: lines.lineAt(offset) };
    if (error !== undefined) {
      listener.onError(new ManifestError(place, error));
    } else if (isInFolder && !isTyped(value)) {
      listener.onSkipped(`${describePlace(place)}: Skipped, since it is not a Kubernetes object`);
    } else {
      const sources = { place, items, lines };
      for (const manifest of manifestsOf(sources, value, {})) {
        if (manifest instanceof ManifestError) listener.onError(manifest);
        else manifests.push(manifest);
      }
    }
  }
  return manifests;
}

function isTyped(value: unknown): boolean {
  return isRecord(value) && (value["apiVersion"] !== undefined || value["kind"] !== undefined);
}

interface Sources {
  readonly place: ManifestPlace & { readonly line: number };
  readonly items: ItemOffsets;
  readonly lines: LineIndex;
}

function* manifestsOf(
  sources: Sources,
  value: unknown,
  inherited: { readonly apiVersion?: string; readonly kind?: string },
): Generator<Manifest | ManifestError> {
  const { place } = sources;
  if (!isRecord(value)) {
    yield new ManifestError(place, "Expected an object");
    return;
  }
  const { apiVersion = inherited.apiVersion, items } = value;
  const { kind = inherited.kind } = value;
  if (typeof apiVersion !== "string") {
    yield new ManifestError(place, "Expected the text field apiVersion");
  } else if (typeof kind !== "string") {
    yield new ManifestError(place, "Expected the text field kind");
  } else if (kind.endsWith("List") && (Array.isArray(items) || items === null)) {
    yield* itemsOf(sources, items ?? [], { apiVersion, kind });
  } else {
    yield { ...place, apiVersion, kind, object: { ...value, apiVersion, kind } };
  }
}

function* itemsOf(
  sources: Sources,
  items: readonly unknown[],
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Generator<Manifest | ManifestError> {
  const itemKind = kind.slice(0, -"List".length);
  const offsets = sources.items.get(items);
  for (const [index, item] of items.entries()) {
    const offset = offsets?.[index];
    const { line } = sources.place;
    const place = {
      ...sources.place,
      line: offset === undefined ? line : sources.lines.lineAt(offset),
    };
    // The kind List says nothing about its items.
    const inherited = itemKind === "" ? {} : { apiVersion, kind: itemKind };
    yield* manifestsOf({ ...sources, place }, item, inherited);
  }
}

function unreadable(file: string, cause: unknown): ManifestError {
  const code = cause instanceof Error && "code" in cause ? stringOf(cause.code) : "unknown error";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "No such file or folder",
    EACCES: "Permission denied",
  };
  const text = reasons[code] ?? `Cannot be read (${code})`;
  return new ManifestError({ file }, text, { cause });
}
