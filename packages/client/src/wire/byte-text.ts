/** What `Buffer` of Node, Deno and Bun has beyond a `Uint8Array`; each is a call to native code. */
interface TextBytes extends Uint8Array {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
  latin1Write(text: string, at: number, length: number): number;
  base64Slice(start: number, end: number): string;
}

interface TextBytesConstructor {
  from(buffer: ArrayBufferLike, offset: number, length: number): TextBytes;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
// Its name is older than its meaning: what is ASCII is read as ASCII, all else as something else.
const oneByteCharacters = new TextDecoder("latin1");
const buffers = findBuffers();

/** Bytes of which texts are made quickly, where the runtime has such ones. */
export type ByteView = Uint8Array;

function findBuffers(): TextBytesConstructor | undefined {
  const found: unknown = Reflect.get(globalThis, "Buffer");
  return isBuffers(found) ? found : undefined;
}

function isBuffers(value: unknown): value is TextBytesConstructor {
  if (typeof value !== "function") return false;
  const prototype: unknown = value.prototype;
  return ["latin1Slice", "utf8Slice", "latin1Write", "base64Slice"].every(
    (name) => typeof Reflect.get(Object(prototype), name) === "function",
  );
}

function isTextBytes(bytes: ByteView): bytes is TextBytes {
  return buffers !== undefined && "latin1Slice" in bytes;
}

/** The same bytes, not a copy. */
export function viewBytes(bytes: Uint8Array): ByteView {
  if (buffers === undefined || isTextBytes(bytes)) return bytes;
  return buffers.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A text of UTF-8, which shares nothing with the bytes. */
export function utf8Text(bytes: ByteView, start: number, end: number): string {
  return isTextBytes(bytes) ? bytes.utf8Slice(start, end) : utf8.decode(bytes.subarray(start, end));
}

/** A text of bytes below 128, which shares nothing with them. */
export function asciiText(bytes: ByteView, start: number, end: number): string {
  return isTextBytes(bytes)
    ? bytes.latin1Slice(start, end)
    : utf8.decode(bytes.subarray(start, end));
}

/** A character for each byte; only for bytes below 128 is it known which. */
export function characters(bytes: ByteView, start: number, end: number): string {
  return isTextBytes(bytes)
    ? bytes.latin1Slice(start, end)
    : oneByteCharacters.decode(bytes.subarray(start, end));
}

/** Bytes as base64. */
export function base64Text(bytes: ByteView, start: number, end: number): string {
  if (isTextBytes(bytes)) return bytes.base64Slice(start, end);
  let text = "";
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return btoa(text);
}

/** Bytes that are kept: as a text of a character each, which takes the least room, or a copy. */
export type KeptBytes = string | Uint8Array;

/** A copy that keeps nothing else alive. */
export function keepBytes(bytes: ByteView, start: number, end: number): KeptBytes {
  return isTextBytes(bytes) ? bytes.latin1Slice(start, end) : bytes.slice(start, end);
}

/** Bytes that are read for a moment at a time; larger ones are not kept for the next. */
const scratchLength = 64 * 1024;
const scratch = viewBytes(new Uint8Array(scratchLength));

/** Kept bytes to be read, from position 0 to their length; until the next call. */
export function openBytes(kept: KeptBytes): ByteView {
  if (typeof kept !== "string") return viewBytes(kept);
  const view = kept.length <= scratchLength ? scratch : viewBytes(new Uint8Array(kept.length));
  if (isTextBytes(view)) view.latin1Write(kept, 0, kept.length);
  return view;
}
