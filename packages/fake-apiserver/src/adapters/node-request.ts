import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type ClientCertificate, noteCertificate } from "../authentication/client-certificate.ts";
import { requestUrl } from "./request-target.ts";

/**
 * The request of a client. Undefined for one without a usable URL or with a method that `Request`
 * refuses (CONNECT, TRACE).
 *
 * @param signal aborts when the client goes away
 */
export function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  const hosts: string[] = [];
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const value = raw[index + 1] ?? "";
    // Over HTTP/2 the target of a request is in fields, too.
    if (!name.startsWith(":")) headers.append(name, value);
    if (/^(host|:authority)$/i.test(name)) hosts.push(value);
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  const { socket } = incoming;
  const scheme = isEncrypted(socket) ? "https" : "http";
  const url = requestUrl({ target: incoming.url ?? "/", hosts, scheme });
  if (url === undefined) return undefined;
  try {
    const request = new Request(url, {
      method,
      headers,
      signal,
      ...(hasBody ? { body: bodyOf(incoming), duplex: "half" } : {}),
    });
    const certificate = isEncrypted(socket) ? certificateOfPeer(socket) : undefined;
    if (certificate !== undefined) noteCertificate(request, certificate);
    return request;
  } catch {
    return undefined;
  }
}

function isEncrypted(socket: Socket): socket is TLSSocket {
  return "encrypted" in socket && socket.encrypted === true;
}

/**
 * The certificate of a client, if the listener's authority has issued it. Undefined on Bun, which
 * does not pass it to servers.
 */
function certificateOfPeer(socket: TLSSocket): ClientCertificate | undefined {
  if (!socket.authorized || !("getPeerCertificate" in socket)) return undefined;
  const { fingerprint256, subject } = socket.getPeerCertificate();
  const values = (value: string | readonly string[] | undefined): readonly string[] =>
    value === undefined ? [] : typeof value === "string" ? [value] : value;
  return {
    commonName: values(subject.CN).join(","),
    organizations: values(subject.O),
    fingerprint: fingerprint256.replaceAll(":", "").toLowerCase(),
  };
}

/** The request's body, read only when asked for. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  incoming.pause();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.on("data", (chunk: Uint8Array) => {
          incoming.pause();
          controller.enqueue(chunk);
        });
        incoming.once("end", () => controller.close());
        incoming.once("error", (error) => controller.error(error));
      },
      pull: () => {
        incoming.resume();
      },
      cancel: () => discardBody(incoming),
    },
    { highWaterMark: 0 },
  );
}

/** Discards the unread rest of a body, which would block the next request of the connection. */
export function discardBody(incoming: IncomingMessage): void {
  incoming.removeAllListeners("data");
  incoming.removeAllListeners("end");
  incoming.resume();
}
