// One stream for all tabs of a browser: a SharedWorker has the informers, and is the server of the
// tabs. A tab reads it as it would read the real one, with `fetch: fetchFrom(port)`.
import type { StreamRequestInit } from "listwatch/streams";

type FromTab = { id: number; url?: string; headers?: Record<string, string>; close?: true };
type Answer = { status: number; headers: [string, string][] };
type ToTab = { id: number; answer?: Answer; bytes?: Uint8Array<ArrayBuffer>; end?: true };

/** A tab that is closed says nothing: its streams end when they have not been read for a minute. */
const silenceMs = 60_000;

/** In the worker, for each port of `onconnect`. */
export function serveTab(port: MessagePort, handler: (request: Request) => Promise<Response>) {
  const streams = new Map<number, { read: () => void; stop: AbortController }>();
  const open = async ({ headers = {}, id, url = "" }: FromTab) => {
    const stop = new AbortController();
    const stream = { read: () => {}, stop };
    streams.set(id, stream);
    let timer = setTimeout(() => stop.abort(), silenceMs);
    stop.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      streams.delete(id);
    });
    const response = await handler(
      new Request(new URL(url, import.meta.url), { headers, signal: stop.signal }),
    );
    const reader = response.body?.getReader();
    const send = (message: Omit<ToTab, "id">) => port.postMessage({ id, ...message });
    const read = async () => {
      clearTimeout(timer);
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) streams.delete(id);
      send(value === undefined ? { end: true } : { bytes: Uint8Array.from(value) });
      timer = setTimeout(() => stop.abort(), silenceMs);
      if (done) clearTimeout(timer);
    };
    stream.read = () => void read();
    send({ answer: { status: response.status, headers: [...response.headers] } });
  };
  port.onmessage = ({ data }: MessageEvent<FromTab>) => {
    const stream = streams.get(data.id);
    if (data.url !== undefined) void open(data);
    else if (data.close === true) stream?.stop.abort();
    else stream?.read();
  };
}

/** In a tab, as the option `fetch`, with the port of `new SharedWorker(…)`. */
export function fetchFrom(port: MessagePort) {
  let ids = 0;
  const receivers = new Map<number, (message: ToTab) => void>();
  port.onmessage = ({ data }: MessageEvent<ToTab>) => receivers.get(data.id)?.(data);
  return (url: string, { headers, signal }: StreamRequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const id = ++ids;
      const send = (message: Omit<FromTab, "id">) => port.postMessage({ id, ...message });
      const leave = () => {
        receivers.delete(id);
        send({ close: true });
        reject(signal.reason);
      };
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            signal.addEventListener("abort", leave);
            receivers.set(id, ({ answer, bytes, end }) => {
              if (answer !== undefined) resolve(new Response(body, answer));
              if (bytes !== undefined) controller.enqueue(bytes);
              if (end !== true) return;
              receivers.delete(id);
              controller.close();
            });
          },
          pull: () => send({}),
          cancel: leave,
        },
        { highWaterMark: 0 },
      );
      send({ url, headers });
    });
}
