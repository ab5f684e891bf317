/** Methods of `Buffer` in Node, Deno and Bun that `Uint8Array` lacks. Each is a call to native code. */
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
// Despite its name, it decodes ASCII as ASCII and other bytes as something else.
const oneByteCharacters = new TextDecoder("latin1");
const buffers = findBuffers();

/** Bytes that are quickly converted to strings, where the runtime has such a class. */
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

/** Returns the same bytes, not a copy. */
export function viewBytes(bytes: Uint8Array): ByteView {
  if (buffers === undefined || isTextBytes(bytes)) return bytes;
  return buffers.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Decodes UTF-8 into a string that does not share memory with the bytes. */
export function utf8Text(bytes: ByteView, start: number, end: number): string {
  return isTextBytes(bytes) ? bytes.utf8Slice(start, end) : utf8.decode(bytes.subarray(start, end));
}

/** Decodes bytes below 128 into a string that does not share memory with them. */
export function asciiText(bytes: ByteView, start: number, end: number): string {
  return isTextBytes(bytes)
    ? bytes.latin1Slice(start, end)
    : utf8.decode(bytes.subarray(start, end));
}

/** Returns one character per byte. The characters of bytes above 127 are undefined. */
export function characters(bytes: ByteView, start: number, end: number): string {
  return isTextBytes(bytes)
    ? bytes.latin1Slice(start, end)
    : oneByteCharacters.decode(bytes.subarray(start, end));
}

/** Encodes bytes as base64. */
export function base64Text(bytes: ByteView, start: number, end: number): string {
  if (isTextBytes(bytes)) return bytes.base64Slice(start, end);
  let text = "";
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return btoa(text);
}

/** Stored bytes: a string with one character per byte, which takes the least memory, or a copy. */
export type KeptBytes = string | Uint8Array;

/** Copies bytes, so that nothing else stays in memory. */
export function keepBytes(bytes: ByteView, start: number, end: number): KeptBytes {
  return isTextBytes(bytes) ? bytes.latin1Slice(start, end) : bytes.slice(start, end);
}

/** Maximum size of the reused buffer for reading stored bytes. */
const scratchLength = 64 * 1024;
const scratch = viewBytes(new Uint8Array(scratchLength));

/** Returns stored bytes for reading, from position 0. Valid until the next call. */
export function openBytes(kept: KeptBytes): ByteView {
  if (typeof kept !== "string") return viewBytes(kept);
  const view = kept.length <= scratchLength ? scratch : viewBytes(new Uint8Array(kept.length));
  if (isTextBytes(view)) view.latin1Write(kept, 0, kept.length);
  return view;
}
