import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { IndexValues, Informer } from "listwatch";
import type { Pod } from "listwatch/resources/core/v1";
import { podEvents } from "./pod-events.ts";

export function servePods(informer: Informer<Pod, IndexValues>) {
  return createServer((_request, response) => {
    const { body, headers } = podEvents(informer);
    response.writeHead(200, Object.fromEntries(headers));
    // Ends the events when the page disconnects, which `pipe` does not.
    pipeline(Readable.fromWeb(body as ReadableStream), response, () => {});
  });
}
