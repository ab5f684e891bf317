import { inRealTime, type JsonObject } from "@listwatch/core-fifo/base";
import type { Tags } from "yaml";
import { loadProtobuf, protobufType } from "../protobuf/protobuf.ts";
import type { Presenter } from "./presenter.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { type ListMetadata, listMetadata } from "./partial-metadata.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { compress } from "./compression.ts";
import type { OutputFormat } from "./negotiation.ts";
import { textStream } from "./text-stream.ts";

/** Answer of a verb, before it is written in the form the client asked for. */
export type Result =
  | { readonly type: "object"; readonly code: number; readonly stored: StoredObject }
  | {
      readonly type: "list";
      readonly objects: readonly StoredObject[];
      readonly metadata: ListMetadata;
    }
  | { readonly type: "document"; readonly code: number; readonly body: JsonObject };

/** Headers of every answer. */
export const commonHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-cache, private",
};

/** The type of answers in plain text. */
export const plainTextType = "text/plain; charset=utf-8";
/** Keeps browsers from guessing another type. */
export const noSniff: Readonly<Record<string, string>> = { "x-content-type-options": "nosniff" };

/** Gives an answer the id under which a real server would have logged it. */
export function withAuditId(response: Response, id: string): Response {
  response.headers.set("audit-id", id);
  return response;
}

// Below this a body is one string: a stream costs more than it saves.
const streamedCharacters = 65_536;

// Strings that are numbers to Go, and not to the library.
const goNumbers = {
  tag: "tag:yaml.org,2002:str",
  default: true,
  identify: (value: unknown): boolean =>
    typeof value === "string" && /^[-+]?0[box][\da-f_]+$/i.test(value),
  resolve: (text: string): string => text,
  stringify: ({ value }: { readonly value?: unknown }): string => JSON.stringify(value),
};

/** As sigs.k8s.io/yaml writes it. */
const yamlOptions = {
  // Readers take yes and on for booleans, and times for more than texts, so these are quoted.
  version: "1.1",
  sortMapEntries: true,
  // Values that the server shares, such as verbs in discovery, are written each time.
  aliasDuplicateObjects: false,
  lineWidth: 0,
  indentSeq: false,
  // The library would write the key "<<" of an object as one that merges, which readers refuse.
  customTags: (tags: Tags): Tags => [
    goNumbers,
    ...tags.map((tag) =>
      typeof tag !== "string" && tag.tag === "tag:yaml.org,2002:merge"
        ? { ...tag, identify: () => false }
        : tag,
    ),
  ],
} as const;

/** A JSON document as the text that was asked for. */
async function documentText(document: unknown, format: OutputFormat): Promise<string> {
  if (format.mediaType === "application/yaml") {
    // Loaded late: most programs never ask for YAML.
    const { stringify } = await inRealTime(import("yaml"));
    return stringify(document, yamlOptions);
  }
  return format.pretty ? JSON.stringify(document, undefined, 2) : `${JSON.stringify(document)}\n`;
}

/** Answers with a JSON document. */
export async function documentResponse(
  request: Request,
  code: number,
  document: JsonObject,
  format: OutputFormat,
): Promise<Response> {
  if (format.mediaType === protobufType) {
    const bytes = (await loadProtobuf()).encode(document);
    const headers = { ...commonHeaders, "content-type": protobufType };
    return compress(request, new Response(bytes, { status: code, headers }), bytes.length);
  }
  const text = await documentText(document, format);
  return textResponse(request, code, format.mediaType, text);
}

/** Answers with text of any media type. */
export function textResponse(
  request: Request,
  code: number,
  contentType: string,
  text: string,
): Response {
  const headers = { ...commonHeaders, "content-type": contentType };
  return compress(request, new Response(text, { status: code, headers }), text.length);
}

/** The answer for a resource that is not served. */
export function textNotFound(request: Request): Response {
  const response = textResponse(request, 404, plainTextType, "404 page not found\n");
  setNoSniff(response);
  return response;
}

/** Keeps browsers from guessing another type of an answer. */
export function setNoSniff(response: Response): void {
  for (const [name, value] of Object.entries(noSniff)) response.headers.set(name, value);
}

/** Answers with a list, written piece by piece from the stored texts. */
export function listResponse(
  request: Request,
  presenter: Presenter,
  objects: readonly StoredObject[],
  metadata: ListMetadata,
): Response {
  let characters = 0;
  for (const stored of objects) characters += stored.tail.length;
  const pieces = listPieces(presenter, objects, metadata);
  if (characters < streamedCharacters) {
    return textResponse(request, 200, "application/json", [...pieces].join(""));
  }
  const headers = { ...commonHeaders, "content-type": "application/json" };
  return compress(request, new Response(textStream(pieces), { headers }), characters);
}

function* listPieces(
  presenter: Presenter,
  objects: readonly StoredObject[],
  metadata: ListMetadata,
): Generator<string, void, void> {
  const { definition } = presenter;
  const apiVersion = `"apiVersion":${JSON.stringify(presenter.apiVersion)}`;
  const kind = `"kind":${JSON.stringify(definition.listKind)}`;
  const meta = `"metadata":${JSON.stringify(metadataOf(metadata, definition))}`;
  yield definition.custom ? `{${apiVersion},"items":[` : `{${kind},${apiVersion},${meta},"items":[`;
  let separator = "";
  for (const stored of objects) {
    yield separator + presenter.itemText(stored);
    separator = ",";
  }
  yield definition.custom ? `],${kind},${meta}}\n` : "]}\n";
}

/** A list as one document. */
export function listDocument(
  presenter: Presenter,
  objects: readonly StoredObject[],
  metadata: ListMetadata,
): JsonObject {
  const { apiVersion, definition } = presenter;
  return {
    apiVersion,
    items: objects.map((stored) => presenter.item(stored)),
    kind: definition.listKind,
    metadata: metadataOf(metadata, definition),
  };
}

// Lists of custom resources always have a `continue`, others only if there are more items. Only
// those others contain their shards.
function metadataOf(
  { shardInfo, ...metadata }: ListMetadata,
  { custom }: ResourceDefinition,
): JsonObject {
  if (custom) return { continue: "", ...metadata };
  return { ...listMetadata(metadata), ...(shardInfo === undefined ? {} : { shardInfo }) };
}
