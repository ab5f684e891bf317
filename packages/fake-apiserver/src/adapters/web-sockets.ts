import { isWebSocket, parseRequestInfo } from "../input/request-info.ts";
import { joinBytes } from "../base/bytes.ts";

/** The kinds of frames (RFC 6455 §11.8). */
export const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const;

/** A frame that a client has sent, unmasked. */
export interface ClientFrame {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

// RFC 6455 §7.4.1: the status of a connection that has done what it was for.
const normalClosure = 1000;
const maskBytes = 4;
// Clients of watches send pings and closes, whose payload has at most 125 bytes; the rest is not
// kept in memory.
const maxPayload = 65_536;

/** A frame of a server: whole and not masked. */
export function encodeFrame(opcode: number, payload: Uint8Array): Uint8Array {
  const size = payload.byteLength;
  const head = [0x80 + opcode];
  if (size < 126) head.push(size);
  else if (size < 65_536) head.push(126, size >> 8, size & 0xff);
  else {
    head.push(127);
    for (let shift = 7; shift >= 0; shift--) head.push(Math.floor(size / 256 ** shift) % 256);
  }
  return joinBytes([Uint8Array.from(head), payload], head.length + size);
}

/** The frame that ends a connection in good order. */
export function closeFrame(): Uint8Array {
  return encodeFrame(opcodes.close, Uint8Array.of(normalClosure >> 8, normalClosure & 0xff));
}

/** RFC 6455 §5.5: what control frames have at most. */
const maxControlPayload = 125;

/** Takes the frames of a client out of the bytes of its connection, in time linear in them. */
export class FrameReader {
  /** The chunks of the frame that is not whole yet. */
  #chunks: Uint8Array[] = [];
  #size = 0;
  /** Bytes without which there is no use in looking. */
  #wanted = 2;
  #bytes: Uint8Array = new Uint8Array();
  #position = 0;

  /**
   * The frames that are whole with these bytes.
   *
   * @throws {RangeError} for a frame that is too large or not masked
   */
  read(chunk: Uint8Array): readonly ClientFrame[] {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    if (this.#size < this.#wanted) return [];
    this.#bytes = joinBytes(this.#chunks, this.#size);
    this.#position = 0;
    const frames: ClientFrame[] = [];
    for (let frame = this.#take(); frame !== undefined; frame = this.#take()) frames.push(frame);
    const rest = this.#bytes.slice(this.#position);
    this.#chunks = [rest];
    this.#size = rest.byteLength;
    this.#bytes = rest;
    return frames;
  }

  #take(): ClientFrame | undefined {
    const bytes = this.#bytes.subarray(this.#position);
    const [first = 0, second = 0, high = 0, low = 0] = bytes.subarray(0, 4);
    this.#wanted = 2;
    if (bytes.byteLength < 2) return undefined;
    const short = second & 0x7f;
    if (second < 0x80 || short === 127) throw new RangeError("Unusable frame");
    const start = short === 126 ? 4 : 2;
    this.#wanted = start;
    if (bytes.byteLength < start) return undefined;
    const size = short === 126 ? high * 256 + low : short;
    const opcode = first & 0x0f;
    const limit = opcode >= opcodes.close ? maxControlPayload : maxPayload;
    if (size > limit) throw new RangeError("Unusable frame");
    const end = start + maskBytes + size;
    this.#wanted = end;
    if (bytes.byteLength < end) return undefined;
    this.#wanted = 2;
    this.#position += end;
    const mask = bytes.subarray(start, start + maskBytes);
    const masked = bytes.subarray(start + maskBytes, end);
    const payload = masked.map((byte, index) => byte ^ (mask[index % maskBytes] ?? 0));
    return { opcode, payload };
  }
}

/** Whether a request is for a watch over WebSocket. */
export function isWebSocketWatch(request: Request): boolean {
  return isWebSocket(request) && parseRequestInfo(request).verb === "watch";
}

/** Whether an answer is a watch that can be sent over WebSocket: one of JSON, line by line. */
export function isEventStream(
  response: Response,
): response is Response & { readonly body: ReadableStream<Uint8Array> } {
  const type = response.headers.get("content-type") ?? "";
  return response.status === 200 && type.startsWith("application/json") && response.body !== null;
}

/** The events of a watch, each a string with its line break, as the real server sends them. */
export async function* eventTexts(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<string, void, void> {
  const utf8 = new TextDecoder();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += utf8.decode(next.value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) yield `${line}\n`;
  }
}
