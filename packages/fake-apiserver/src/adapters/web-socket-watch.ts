import { isWebSocket, parseRequestInfo } from "../input/request-info.ts";

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

/** The events of a watch, each as a text with its line break, as the real server sends them. */
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
