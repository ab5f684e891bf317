import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { onAborted } from "@listwatch/core-fifo/base";
import type { FetchHandler } from "../api/request.ts";
import { toRequest } from "./node-request.ts";
import {
  closeFrame,
  encodeFrame,
  FrameReader,
  opcodes,
  eventTexts,
  isEventStream,
  isWebSocketWatch,
} from "./web-sockets.ts";

// RFC 6455 §1.3: what the key of a client is hashed with.
const keySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Bytes that may wait for a client that sends pings: some batches of events, and its answers. */
const maxUnsent = 16 * 1024 * 1024;

/**
 * Serves watches over WebSocket, one text for each event. A server of a Node before 22.21 or 24.9
 * cannot tell which upgrades it takes, and then takes none: HTTP/2 is offered by an upgrade, too.
 *
 * @returns breaks the connections that are open
 */
export function acceptWebSockets(httpServer: Server, handler: FetchHandler): () => void {
  const open = new Set<Duplex>();
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  if (!("shouldUpgradeCallback" in httpServer)) return breakAll;
  httpServer.shouldUpgradeCallback = isWatch;
  httpServer.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => {
    open.add(socket);
    const gone = new AbortController();
    socket.once("close", () => {
      open.delete(socket);
      gone.abort();
    });
    // A broken socket is reported by "close" too.
    socket.on("error", () => undefined);
    // Sockets of HTTP servers stay half open when the client ends its half.
    socket.once("end", () => socket.destroy());
    serveSocket(handler, incoming, socket, gone.signal).catch(() => socket.destroy());
  });
  return breakAll;
}

function isWatch(incoming: IncomingMessage): boolean {
  const request = toRequest(incoming, new AbortController().signal);
  return request !== undefined && isWebSocketWatch(request);
}

async function serveSocket(
  handler: FetchHandler,
  incoming: IncomingMessage,
  socket: Duplex,
  signal: AbortSignal,
): Promise<void> {
  const request = toRequest(incoming, signal);
  const key = incoming.headers["sec-websocket-key"];
  if (request === undefined || key === undefined) {
    socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    return;
  }
  // From here on it is a watch like any other.
  request.headers.delete("upgrade");
  const response = await handler.fetch(request);
  if (!isEventStream(response)) {
    await refuse(response, socket);
    return;
  }
  const [protocol] = (incoming.headers["sec-websocket-protocol"] ?? "").split(",");
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "upgrade: websocket",
      "connection: Upgrade",
      `sec-websocket-accept: ${createHash("sha1").update(`${key}${keySuffix}`).digest("base64")}`,
      ...(protocol === "" ? [] : [`sec-websocket-protocol: ${protocol}`]),
      "\r\n",
    ].join("\r\n"),
  );
  const reader = response.body.getReader();
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  const release = onAborted(signal, cancel);
  answerFrames(socket, cancel);
  await sendEvents(reader, socket).finally(release);
}

async function refuse(response: Response, socket: Duplex): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  socket.write(
    [
      `HTTP/1.1 ${response.status} Refused`,
      ...headers,
      `content-length: ${body.byteLength}`,
      "connection: close",
      "\r\n",
    ].join("\r\n"),
  );
  socket.end(body);
}

async function sendEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  socket: Duplex,
): Promise<void> {
  for await (const text of eventTexts(reader)) {
    const frame = encodeFrame(opcodes.text, Buffer.from(text));
    if (!socket.write(frame)) await drained(socket);
  }
  socket.end(closeFrame());
}

/** The socket takes more, or is gone. */
function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    socket.once("drain", resolve);
    socket.once("close", resolve);
  });
}

function answerFrames(socket: Duplex, onClose: () => void): void {
  const frames = new FrameReader();
  const answer = (chunk: Uint8Array): void => {
    for (const { opcode, payload } of frames.read(chunk)) {
      if (opcode === opcodes.ping) socket.write(encodeFrame(opcodes.pong, payload));
      // A client that asks and does not read must not fill memory with answers.
      if (socket.writableLength > maxUnsent) throw new RangeError("Too many pings");
      if (opcode === opcodes.close) onClose();
    }
  };
  socket.on("data", (chunk: Uint8Array) => {
    try {
      answer(chunk);
    } catch {
      // Not a client of this protocol.
      socket.destroy();
    }
  });
}
