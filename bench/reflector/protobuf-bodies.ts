// @boundaries-ignore the codec of the tests' servers
import { createObjectCodec } from "../../packages/fake-apiserver/src/protobuf/object-codec.ts";
import {
  changeAt,
  firstListVersion,
  firstObjectVersion,
  servedPod,
  type Change,
  type EventChunk,
  type Workload,
} from "./workload.ts";

/** As long as each version of a workload, which replaces it in the bytes. */
const placeholder = "@versio";
const frameHeadLength = 4;
const itemsTag = 0x12;
const rawTag = 0x12;
const pieceItems = 1000;

/** Prepared protobuf bodies: of the first list, and of the events. */
export interface ProtobufBodies {
  readonly list: readonly Buffer[];
  /** The first list as a stream. */
  readonly initialEvents: readonly Buffer[];
  readonly events: readonly EventChunk[];
}

/** Encodes the objects and events of a workload. */
export async function encodeWorkload(workload: Workload): Promise<ProtobufBodies> {
  const codec = await createObjectCodec();
  const pods = new Map<string, Template>();
  const template = (type: Change["type"] | "item", index: number): Template => {
    const key = `${type}/${index}`;
    let found = pods.get(key);
    if (found === undefined) {
      const object = { kind: "Pod", apiVersion: "v1", ...servedPod(index, placeholder) };
      found = new Template(
        type === "item" ? item(codec.encode(object)) : frame(codec.encodeEvent(type, object)),
      );
      pods.set(key, found);
    }
    return found;
  };
  const indexes = Array.from({ length: workload.pods }, (_, index) => index);
  const itemOf = (index: number): Buffer => template("item", index).at(firstObjectVersion + index);
  const metadata = Buffer.from([0x12, placeholder.length, ...Buffer.from(`${firstListVersion}`)]);
  const head = Buffer.concat([Buffer.from([0x0a, metadata.length]), metadata]);
  const items: Buffer[] = [];
  for (let at = 0; at < indexes.length; at += pieceItems) {
    items.push(Buffer.concat(indexes.slice(at, at + pieceItems).map(itemOf)));
  }
  pods.clear();
  const length = items.reduce((sum, piece) => sum + piece.length, head.length);
  const list = codec.encode({ kind: "PodList", apiVersion: "v1", metadata: {}, items: [] });
  const start = Buffer.from(list.subarray(0, rawStart(Buffer.from(list))));
  const bookmark = codec.encodeEvent("BOOKMARK", {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      resourceVersion: String(firstListVersion),
      annotations: { "k8s.io/initial-events-end": "true" },
    },
  });
  const initialEvents =
    workload.isStreamed === true
      ? [
          ...indexes.map((index) => template("ADDED", index).at(firstObjectVersion + index)),
          frame(bookmark),
        ]
      : [];
  return {
    list: [start, Buffer.from([rawTag, ...varint(length)]), head, ...items],
    initialEvents: joined(initialEvents),
    events: eventChunks(workload, (change) =>
      template(change.type, change.index).at(change.version),
    ),
  };
}

/** The bytes of a pod with a replaceable version. */
class Template {
  readonly #bytes: Buffer;
  readonly #place: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#place = bytes.indexOf(placeholder);
  }

  at(version: number): Buffer {
    const copy = Buffer.from(this.#bytes);
    copy.write(String(version), this.#place, "latin1");
    return copy;
  }
}

function eventChunks(workload: Workload, encode: (change: Change) => Buffer): EventChunk[] {
  const { chunk, events } = workload;
  const chunks: EventChunk[] = [];
  let parts: Buffer[] = [];
  let length = 0;
  let first = 0;
  for (let count = 0; count < events; count++) {
    const event = encode(changeAt(workload, count));
    parts.push(event);
    length += event.length;
    if (chunk === "event" || length >= chunk || count === events - 1) {
      chunks.push({ first, bytes: Buffer.concat(parts) });
      parts = [];
      length = 0;
      first = count + 1;
    }
  }
  return chunks;
}

function joined(frames: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < frames.length; at += 25)
    pieces.push(Buffer.concat(frames.slice(at, at + 25)));
  return pieces;
}

function frame(event: Uint8Array): Buffer {
  const head = Buffer.alloc(frameHeadLength);
  head.writeUInt32BE(event.length);
  return Buffer.concat([head, event]);
}

/** Converts the message in an envelope to an item of a list. */
function item(envelope: Uint8Array): Buffer {
  const bytes = Buffer.from(envelope);
  const start = rawStart(bytes) + 1;
  let length = 0;
  let at = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  return Buffer.concat([Buffer.from([itemsTag]), bytes.subarray(start, at + length)]);
}

/** Returns the start of the message in an envelope, which follows the prefix and the type. */
function rawStart(envelope: Buffer): number {
  const typeHead = 4;
  return typeHead + 2 + (envelope[typeHead + 1] ?? 0);
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) + 128, ...varint(Math.floor(number / 128))];
}
