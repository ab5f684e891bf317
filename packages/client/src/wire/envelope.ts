import type { WireReader } from "./wire-reader.ts";

/** Media type: apimachinery `ContentTypeProtobuf`, pkg/runtime/types.go. */
export const protobufType = "application/vnd.kubernetes.protobuf";

/** "k8s" and a zero: apimachinery `protoEncodingPrefix`, runtime/serializer/protobuf. */
const prefix = [0x6b, 0x38, 0x73, 0] as const;
export const prefixLength: number = prefix.length;

/** Tags of apimachinery's messages `Unknown` and `TypeMeta`, whose fields are strings. */
export const envelopeTags = { typeMeta: 0x0a, raw: 0x12 } as const;
const typeTags = { apiVersion: 0x0a, kind: 0x12 } as const;

/** Type of an object. */
export interface TypeMeta {
  apiVersion: string;
  kind: string;
}

/** Reads the prefix of a response. */
export function readPrefix(reader: WireReader): void {
  for (const byte of prefix) {
    if (reader.bytes[reader.position] !== byte) throw reader.error("Kubernetes' protobuf");
    reader.position++;
  }
}

/** Reads the message TypeMeta. */
export function readTypeMeta(reader: WireReader, end: number, into: TypeMeta): void {
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === typeTags.apiVersion) into.apiVersion = reader.text(reader.delimitedEnd(end));
    else if (tag === typeTags.kind) into.kind = reader.text(reader.delimitedEnd(end));
    else reader.skip(tag, end);
  }
  reader.finish(end);
}

/**
 * Reads the envelope of one object and moves to the start of its message.
 *
 * @returns the end of the message
 */
export function openEnvelope(reader: WireReader, end: number, into: TypeMeta): number {
  readPrefix(reader);
  let rawStart = end;
  let rawEnd = end;
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === envelopeTags.typeMeta) readTypeMeta(reader, reader.delimitedEnd(end), into);
    else if (tag === envelopeTags.raw) {
      rawEnd = reader.delimitedEnd(end);
      rawStart = reader.position;
      reader.position = rawEnd;
    } else reader.skip(tag, end);
  }
  reader.finish(end);
  reader.position = rawStart;
  return rawEnd;
}
