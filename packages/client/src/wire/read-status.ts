import type { StatusCause } from "../errors/status.ts";
import { viewBytes } from "./byte-text.ts";
import { openEnvelope, type TypeMeta } from "./envelope.ts";
import { WireError, WireReader } from "./wire-reader.ts";

// Tags of apimachinery's messages Status, StatusDetails, StatusCause and ListMeta,
// pkg/apis/meta/v1/generated.proto: eight times the field number, plus 2 if the value has a length.
const statusTags = {
  metadata: 0x0a,
  status: 0x12,
  message: 0x1a,
  reason: 0x22,
  details: 0x2a,
  code: 0x30,
} as const;
const detailsTags = {
  name: 0x0a,
  group: 0x12,
  kind: 0x1a,
  causes: 0x22,
  retryAfterSeconds: 0x28,
  uid: 0x32,
} as const;
const causeTags = { reason: 0x0a, message: 0x12, field: 0x1a } as const;
const listMetaTags = { continue: 0x1a } as const;

/** A JSON object under construction. */
type Members<T> = { -readonly [K in keyof T]: T[K] };

/** Reads a field whose tag was read. Returns false if it belongs to another message. */
type TakeField = (tag: number, limit: number) => boolean;

/** Reads a Status to its JSON form. */
export function readStatus(reader: WireReader, end: number): Record<string, unknown> {
  const status: Record<string, unknown> = { kind: "Status", apiVersion: "v1", metadata: {} };
  readFields(reader, end, (tag, limit) => {
    const text = (): string => reader.text(reader.delimitedEnd(limit));
    if (tag === statusTags.metadata) {
      status["metadata"] = readListMeta(reader, reader.delimitedEnd(limit));
    } else if (tag === statusTags.status) status["status"] = text();
    else if (tag === statusTags.message) status["message"] = text();
    else if (tag === statusTags.reason) status["reason"] = text();
    else if (tag === statusTags.details) {
      status["details"] = readDetails(reader, reader.delimitedEnd(limit));
    } else if (tag === statusTags.code) status["code"] = reader.varint();
    else return false;
    return true;
  });
  for (const [name, value] of Object.entries(status)) if (value === "") delete status[name];
  return status;
}

/**
 * Reads a Status with its envelope, the body of an error.
 *
 * @returns `undefined` if the bytes are malformed
 */
export function readStatusBody(bytes: Uint8Array): Record<string, unknown> | undefined {
  const reader = new WireReader();
  const type: TypeMeta = { apiVersion: "", kind: "" };
  try {
    reader.open(viewBytes(bytes), 0);
    const end = openEnvelope(reader, bytes.length, type);
    return type.kind === "Status" ? readStatus(reader, end) : undefined;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function readListMeta(reader: WireReader, end: number): object {
  const metadata: { continue?: string } = {};
  readFields(reader, end, (tag, limit) => {
    if (tag !== listMetaTags.continue) return false;
    const text = reader.text(reader.delimitedEnd(limit));
    if (text !== "") metadata.continue = text;
    return true;
  });
  return metadata;
}

function readDetails(reader: WireReader, end: number): object {
  const details: Record<string, unknown> = {};
  const causes: StatusCause[] = [];
  readFields(reader, end, (tag, limit) => {
    if (tag === detailsTags.causes) causes.push(readCause(reader, reader.delimitedEnd(limit)));
    else if (tag === detailsTags.retryAfterSeconds) details["retryAfterSeconds"] = reader.varint();
    else {
      const name = nameOf(detailsTags, tag);
      if (name === undefined) return false;
      details[name] = reader.text(reader.delimitedEnd(limit));
    }
    return true;
  });
  if (causes.length > 0) details["causes"] = causes;
  for (const [name, value] of Object.entries(details)) {
    if (value === "" || value === 0) delete details[name];
  }
  return details;
}

function readCause(reader: WireReader, end: number): StatusCause {
  const cause: Members<StatusCause> = {};
  readFields(reader, end, (tag, limit) => {
    const name = nameOf(causeTags, tag);
    if (name === undefined) return false;
    const text = reader.text(reader.delimitedEnd(limit));
    if (text !== "") cause[name] = text;
    return true;
  });
  return cause;
}

function nameOf<Name extends string>(
  tags: Readonly<Record<Name, number>>,
  tag: number,
): Name | undefined {
  for (const name in tags) if (tags[name] === tag) return name;
  return undefined;
}

function readFields(reader: WireReader, end: number, take: TakeField): void {
  while (reader.position < end) {
    const tag = reader.varint();
    if (!take(tag, end)) reader.skip(tag, end);
  }
  reader.finish(end);
}
