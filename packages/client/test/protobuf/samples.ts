import { jsonDecoder, type Decoder, type FieldPath, type WatchEvent } from "@listwatch/client";
import { ObjectLimit } from "../../src/json/object-limit.ts";
import { createProtobufDecoder } from "../../src/protobuf/protobuf-decoder.ts";

/** An object in protobuf and in JSON, both written by Go. */
export interface Sample {
  /** For example `apps/v1/Deployment`. */
  readonly kind: string;
  readonly message: Uint8Array;
  readonly json: string;
}

const utf8 = new TextEncoder();
const lengthBytes = 4;

/** Reads the output of `scripts/schemas/samples.go`. */
export function* readSamples(bytes: Uint8Array): Generator<Sample, void, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder();
  let position = 0;
  const next = (): Uint8Array => {
    const start = position + lengthBytes;
    position = start + view.getUint32(position);
    return bytes.subarray(start, position);
  };
  while (position < bytes.length) {
    yield { kind: text.decode(next()), message: next(), json: text.decode(next()) };
  }
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) + 128, ...varint(Math.floor(number / 128))];
}

/** Encodes a length-delimited field. */
export function delimited(number: number, content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === "string" ? utf8.encode(content) : content;
  return joined([Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

/** Encodes a varint field. */
export function numeric(number: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(number * 8), ...varint(value)]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function envelope(kind: string, message: Uint8Array): Uint8Array {
  const slash = kind.lastIndexOf("/");
  const type = joined([delimited(1, kind.slice(0, slash)), delimited(2, kind.slice(slash + 1))]);
  const end = [delimited(3, ""), delimited(4, "")];
  return joined([
    Uint8Array.of(0x6b, 0x38, 0x73, 0),
    delimited(1, type),
    delimited(2, message),
    ...end,
  ]);
}

export function frame(type: string, kind: string, message: Uint8Array): Uint8Array {
  const object = delimited(1, envelope(kind, message));
  const event = joined([delimited(1, type), delimited(2, object)]);
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, event.length);
  return joined([length, event]);
}

export function list(
  kind: string,
  items: readonly Uint8Array[],
  metadata: Uint8Array = delimited(2, "7"),
): Uint8Array {
  const fields = [delimited(1, metadata), ...items.map((item) => delimited(2, item))];
  return envelope(`${kind}List`, joined(fields));
}

/** Makes a decoder with lazy members of any size. */
export function protobufDecoder(
  options: {
    readonly lazyLength?: number;
    readonly stripManagedFields?: boolean;
    readonly fields?: readonly FieldPath[];
  } = {},
): Decoder {
  const { fields, lazyLength = 0, stripManagedFields = false } = options;
  const [json, limit] = [jsonDecoder(), new ObjectLimit(undefined)];
  return createProtobufDecoder({ json, limit, fields, lazyLength, stripManagedFields });
}

export function decodeWatch(
  bytes: Uint8Array,
  decoder: Decoder = protobufDecoder(),
  size: number = bytes.length,
): WatchEvent<object>[] {
  const events: WatchEvent<object>[] = [];
  const watch = decoder.watch<object>();
  for (let at = 0; at < bytes.length; at += size)
    watch.write(bytes.subarray(at, at + size), events);
  watch.end(events);
  return events;
}

export function decodeList(
  bytes: Uint8Array,
  decoder: Decoder = protobufDecoder(),
  size: number = bytes.length,
): object[] {
  const items: object[] = [];
  const decoding = decoder.list<object>();
  for (let at = 0; at < bytes.length; at += size)
    decoding.write(bytes.subarray(at, at + size), items);
  decoding.end(items);
  return items;
}
