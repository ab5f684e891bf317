import { isRecord, readDuration, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type {
  RecordedChange,
  RecordedResource,
  Recording,
  RecordingHeader,
  RecordingLine,
} from "./format.ts";
import { ListOrder } from "./list-order.ts";
import { RecordedKeys, recordedKey, resourceName } from "./recorded-keys.ts";
import { RecordingError } from "./recording-error.ts";

// Version of the format that `listwatch record` writes.
const recordingVersion = 1;

/** Reads a recording: `readRecording`. */
export async function readLinesOf(
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<Recording> {
  const iterator = numbered(texts);
  const first = await iterator.next();
  if (first.done === true) throw new RecordingError(1, "expected a header, got an empty file");
  const header = readHeader(first.value.line, parse(first.value));
  const lines = readLines(header, iterator);
  return {
    header,
    lines,
    changes: readChanges(header, lines),
    moment: (text) => readMoment(text, header),
  };
}

async function* readChanges(
  { resources }: RecordingHeader,
  lines: AsyncIterable<RecordingLine>,
): AsyncGenerator<RecordedChange> {
  const names = resources.map(resourceName);
  const keys = new RecordedKeys();
  for await (const line of lines) {
    if (line.type === "END") continue;
    const missing = keys.take(line);
    const { at } = line;
    const resource = names[line.resource] ?? "";
    if (line.type !== "LIST") {
      const { object, type } = line;
      yield { at, type, resource, key: recordedKey(object), object };
    }
    for (const key of missing) yield { at, type: "DELETED", resource, key, object: undefined };
  }
}

interface NumberedText {
  readonly line: number;
  readonly text: string;
  readonly isLast: boolean;
}

/** Numbers the lines that are not empty, and marks the last one. */
async function* numbered(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<NumberedText> {
  let line = 0;
  let waiting: { readonly line: number; readonly text: string } | undefined;
  for await (const text of texts) {
    line++;
    if (text.trim() === "") continue;
    if (waiting !== undefined) yield { ...waiting, isLast: false };
    // Editors of Windows begin a file with a byte order mark.
    waiting = { line, text: line === 1 ? text.replace(/^\uFEFF/, "") : text };
  }
  if (waiting !== undefined) yield { ...waiting, isLast: true };
}

async function* readLines(
  { resources }: RecordingHeader,
  texts: AsyncIterable<NumberedText>,
): AsyncGenerator<RecordingLine> {
  const order = new ListOrder(resources);
  let reached = 0;
  let last = 1;
  for await (const numberedText of texts) {
    const value = parseUnlessCut(numberedText);
    if (value === undefined) break;
    last = numberedText.line;
    const line = readLine(last, value, resources);
    if (line.at < reached) {
      throw new RecordingError(last, `expected a time of at least ${reached} ms, got ${line.at}`);
    }
    reached = line.at;
    if (line.type === "END") {
      order.end(last, true);
      yield line;
      return;
    }
    order.take(last, line);
    lineNumbers.set(line, last);
    yield line;
  }
  order.end(last, false);
}

/** Numbers of lines in their files, for errors about their content. */
export const lineNumbers: WeakMap<RecordingLine, number> = new WeakMap();

function parseUnlessCut(numberedText: NumberedText): unknown {
  try {
    return parse(numberedText);
  } catch (error) {
    // A recorder that was killed leaves half a line.
    if (numberedText.isLast && error instanceof RecordingError) return undefined;
    throw error;
  }
}

function parse({ line, text }: NumberedText): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RecordingError(line, `expected JSON, got ${JSON.stringify(text.slice(0, 60))}`, {
      cause: error,
    });
  }
}

function readHeader(line: number, value: unknown): RecordingHeader {
  if (!isRecord(value) || value["recording"] === undefined) {
    throw new RecordingError(line, `expected the header of "listwatch record"`);
  }
  const { hashedNames, includes, recording, resources, startedAt } = value;
  if (recording !== recordingVersion) {
    const got = JSON.stringify(recording);
    throw new RecordingError(
      line,
      `expected version ${recordingVersion} of the format, got ${got}`,
    );
  }
  if (typeof startedAt !== "string" || Number.isNaN(Date.parse(startedAt))) {
    throw new RecordingError(line, `startedAt: expected a time, got ${JSON.stringify(startedAt)}`);
  }
  if (!Array.isArray(resources) || !resources.every(isResource)) {
    throw new RecordingError(line, "resources: expected a list of resources");
  }
  const paths: readonly unknown[] = Array.isArray(includes) ? includes : [];
  return {
    recording,
    startedAt,
    resources,
    includes: paths.filter((path) => typeof path === "string"),
    hashedNames: hashedNames === true,
  };
}

function isResource(value: unknown): value is RecordedResource {
  if (!isRecord(value)) return false;
  const { group, kind, namespaced, resource, version } = value;
  const texts = [group, kind, resource, version];
  return texts.every((text) => typeof text === "string") && typeof namespaced === "boolean";
}

function readLine(
  line: number,
  value: unknown,
  resources: readonly RecordedResource[],
): RecordingLine {
  if (!isRecord(value)) throw new RecordingError(line, "expected an object");
  const { at, items, object, resource, resourceVersion, type } = value;
  if (typeof at !== "number" || !Number.isFinite(at) || at < 0) {
    throw new RecordingError(line, `at: expected milliseconds, got ${JSON.stringify(at)}`);
  }
  if (type === "END") return { at, type };
  const recorded = resources.find((_, index) => index === resource);
  if (recorded === undefined || typeof resource !== "number") {
    const expected = `an index below ${resources.length}`;
    throw new RecordingError(
      line,
      `resource: expected ${expected}, got ${JSON.stringify(resource)}`,
    );
  }
  if (type === "LIST") {
    if (!Number.isInteger(items) || Number(items) < 0) {
      throw new RecordingError(line, `items: expected a number, got ${JSON.stringify(items)}`);
    }
    const version = typeof resourceVersion === "string" ? resourceVersion : "";
    return { at, type, resource, items: Number(items), resourceVersion: version };
  }
  if (type !== "LISTED" && type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") {
    throw new RecordingError(line, `type: unknown ${JSON.stringify(type)}`);
  }
  if (!isRecord(object) || !isRecord(object["metadata"])) {
    throw new RecordingError(line, "object: expected an object with metadata");
  }
  checkObject(line, object, recorded);
  return { at, type, resource, object };
}

/** Checks that an object has a name, and the type of its resource unless it has none. */
function checkObject(
  line: number,
  object: JsonObject,
  { group, kind, namespaced, version }: RecordedResource,
): void {
  const { name, namespace } = recordOf(object["metadata"]);
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const { apiVersion: ownVersion = apiVersion, kind: ownKind = kind } = object;
  const wrong = (member: string, expected: string, found: unknown): RecordingError => {
    const got = JSON.stringify(found) ?? "none";
    return new RecordingError(line, `object.${member}: expected ${expected}, got ${got}`);
  };
  if (ownVersion !== apiVersion) throw wrong("apiVersion", `"${apiVersion}"`, ownVersion);
  if (ownKind !== kind) throw wrong("kind", `"${kind}"`, ownKind);
  if (!isText(name)) throw wrong("metadata.name", "a name", name);
  if (isText(namespace) !== namespaced) {
    throw wrong("metadata.namespace", namespaced ? "a name" : "none", namespace);
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function readMoment(text: string, { startedAt }: Pick<RecordingHeader, "startedAt">): number {
  const start = Date.parse(startedAt);
  if (text.startsWith("+")) {
    const duration = readDuration(text.slice(1));
    if (duration !== undefined) return duration;
  } else if (/^\d{4}-\d\d-\d\dT/.test(text)) {
    const time = Date.parse(text);
    if (time < start) throw new TypeError(`Expected a time from ${startedAt} on, got ${text}`);
    if (!Number.isNaN(time)) return time - start;
  }
  throw new TypeError(`Expected a moment such as +3m12s or ${startedAt}, got "${text}"`);
}
