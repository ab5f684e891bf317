import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { MalformedBodyError } from "../input/errors.ts";
import { checkWireType, readEnd, readTag, skipField } from "./wire.ts";

// "k8s" and a zero: k8s.io/apimachinery runtime/serializer/protobuf, `protoEncodingPrefix`.
const prefix: readonly number[] = [0x6b, 0x38, 0x73, 0];

/** An object's type and its encoded message. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

// Kubernetes' message Unknown:
//
//   prefix │ 1: TypeMeta { 1: apiVersion, 2: kind } │ 2: raw │ 3: contentEncoding │ 4: contentType

/** Writes an object in its envelope. The last two fields are always empty. */
export function sealEnvelope(
  apiVersion: string,
  kind: string,
  writeRaw: (writer: BinaryWriter) => void,
): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writer.raw(Uint8Array.from(prefix));
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).string(apiVersion);
  writer.tag(2, WireType.LengthDelimited).string(kind);
  writer.join();
  writer.tag(2, WireType.LengthDelimited).fork();
  writeRaw(writer);
  writer.join();
  writer.tag(3, WireType.LengthDelimited).string("");
  writer.tag(4, WireType.LengthDelimited).string("");
  return writer.finish();
}

/** Writes a watch event around an envelope: { 1: type, 2: { 1: raw } }. */
export function sealEvent(type: string, envelope: Uint8Array): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string(type);
  writer.tag(2, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).bytes(envelope);
  writer.join();
  return writer.finish();
}

/** Reads the envelope of a body. @throws {MalformedBodyError} */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new MalformedBodyError("empty data");
  if (!prefix.every((byte, index) => bytes[index] === byte)) {
    throw new MalformedBodyError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix.join(" ")}]`,
    );
  }
  const [type, raw] = readParts(bytes.subarray(prefix.length), "Unknown", [
    "TypeMeta",
    "Raw",
    "ContentEncoding",
    "ContentType",
  ]);
  const [apiVersion, kind] = readParts(type ?? noBytes, "TypeMeta", ["APIVersion", "Kind"]);
  return { apiVersion: textIn(apiVersion), kind: textIn(kind), raw: raw ?? noBytes };
}

const noBytes = new Uint8Array();
const utf8 = new TextDecoder();

function textIn(bytes: Uint8Array = noBytes): string {
  return utf8.decode(bytes);
}

/** Returns the fields of a message by number; all are strings, bytes or messages. */
function readParts(
  message: Uint8Array,
  messageName: string,
  names: readonly string[],
): readonly (Uint8Array | undefined)[] {
  const reader = new BinaryReader(message);
  const parts: (Uint8Array | undefined)[] = names.map(() => undefined);
  while (reader.pos < message.length) {
    const tag = readTag(reader, messageName);
    const name = names[tag.number - 1];
    if (name === undefined) {
      skipField(reader, tag);
      continue;
    }
    checkWireType(tag, WireType.LengthDelimited, name);
    const end = readEnd(reader, message.length);
    parts[tag.number - 1] = message.subarray(reader.pos, end);
    reader.pos = end;
  }
  return parts;
}
