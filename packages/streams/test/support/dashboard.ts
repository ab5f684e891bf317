import { createClient, createConnection, type Client, type Connection } from "@listwatch/client";
import { silentLog, type Clock } from "@listwatch/core-fifo";
import { seededRandom } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { configmaps, type ConfigMap } from "@listwatch/resources/core/v1";
import { Informer, SharedInformerFactory, type InformerOptions } from "@listwatch/shared-informer";
import {
  eventStreamSource,
  toEventStream,
  type EventStreamHandler,
  type EventStreamOptions,
  type EventStreamSource,
  type EventStreamSourceOptions,
} from "@listwatch/streams";

type Maps = Informer<ConfigMap>;
type Collections = { readonly maps: Maps; readonly others: Maps };

const url = "http://dashboard/stream";

/** A server with two collections of config maps, of which one has those with the label `other`. */
export interface Backend {
  readonly clock: SimulatedClock;
  readonly api: FakeApiServer;
  readonly connection: Connection;
  readonly client: Client;
  readonly informers: Collections;
  serve(options?: Partial<EventStreamOptions<Collections>>): EventStreamHandler;
  write(key: string, data: Record<string, string>): Promise<ConfigMap>;
  remove(key: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startBackend(): Promise<Backend> {
  const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
  const api = new FakeApiServer({ clock, seed: 1, namespaces: "permissive" });
  const connection = createConnection({ server: "http://fake", fetch: api.fetch });
  const client = createClient(connection, { clock });
  const factory = new SharedInformerFactory({ connection, clock, log: silentLog });
  const informers = {
    maps: factory.informer(configmaps, { labelSelector: "!other" }),
    others: factory.informer(configmaps, { labelSelector: "other" }),
  };
  factory.start();
  await clock.advance(1000);
  const handlers: EventStreamHandler[] = [];
  return {
    clock,
    api,
    connection,
    client,
    informers,
    serve: (options) => {
      const handler = toEventStream(informers, {
        authorize: () => ({ namespaces: ["a", "b"] }),
        clock,
        log: silentLog,
        ...options,
      });
      handlers.push(handler);
      return handler;
    },
    write: async (key, data) => {
      const [namespace = "", name = ""] = key.split("/");
      const map = { metadata: { name }, data };
      return client.in(namespace).resource(configmaps).apply(map, { fieldManager: "test" });
    },
    remove: async (key) => {
      const [namespace = "", name = ""] = key.split("/");
      await client.in(namespace).resource(configmaps).delete(name);
    },
    stop: async () => {
      for (const handler of handlers) await handler[Symbol.asyncDispose]();
      await factory[Symbol.asyncDispose]();
    },
  };
}

/** A page: its text and its informers. */
export interface Page {
  readonly stream: EventStreamSource;
  /** All text of all streams. */
  readonly text: () => string;
  /** The requests, in their order. */
  readonly requests: Request[];
  informer(name: string, options?: Partial<InformerOptions<ConfigMap, never>>): Maps;
  /**
   * Ends the current stream, as a proxy does: at once, or after a number of further bytes, which
   * may end inside an event.
   */
  breakStream(afterBytes?: number): void;
  /** Reads no more until the function that it returns is called. */
  hold(): () => void;
  close(): Promise<void>;
}

export interface PageOptions extends EventStreamSourceOptions {
  readonly clock: Clock;
}

/** Opens a page of a handler, without a network. */
export function openPage(
  handler: () => (request: Request) => Promise<Response>,
  options: PageOptions,
): Page {
  let text = "";
  let current: { broken: AbortController } | undefined;
  let held: Promise<void> | undefined;
  /** Number of bytes that arrive until the stream breaks. */
  let bytesLeft = Infinity;
  const requests: Request[] = [];
  const stop = new AbortController();
  const runs: Promise<void>[] = [];
  const stream = eventStreamSource(url, {
    random: seededRandom(1),
    fetch: async (address, { headers, signal }) => {
      const request = new Request(address, { headers, signal });
      requests.push(request);
      const broken = new AbortController();
      const response = await handler()(request);
      if (response.body === null || !response.ok) return response;
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      current = { broken };
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            const end = (): void => {
              bytesLeft = Infinity;
              controller.error(new TypeError("broken"));
              void reader.cancel();
            };
            broken.signal.addEventListener("abort", end, { once: true });
          },
          pull: async (controller) => {
            if (held !== undefined) await held;
            const { done, value } = await reader.read();
            if (broken.signal.aborted) return;
            if (done) {
              controller.close();
              return;
            }
            text += decoder.decode(value, { stream: true });
            controller.enqueue(value.subarray(0, bytesLeft));
            bytesLeft -= value.byteLength;
            if (bytesLeft < 0) broken.abort();
          },
          cancel: () => reader.cancel(),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, response);
    },
    ...options,
  });
  return {
    stream,
    requests,
    text: () => text,
    informer: (name, own) => {
      const informer = new Informer<ConfigMap>(stream.collection(name), {
        name,
        clock: options.clock,
        telemetry: { log: silentLog },
        ...own,
      });
      const run = informer.run(stop.signal);
      // Awaited by `close`.
      run.catch(() => undefined);
      runs.push(run);
      return informer;
    },
    breakStream: (afterBytes = 0) => {
      if (afterBytes === 0) current?.broken.abort();
      else bytesLeft = afterBytes;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    close: async () => {
      stop.abort();
      await Promise.all(runs);
    },
  };
}

/** The objects of an informer, by key, with their data. */
export function contentOf(informer: Maps): Record<string, unknown> {
  return Object.fromEntries(
    informer.store
      .listKeys()
      .toSorted()
      .map((key) => [key, informer.store.getByKey(key)?.data]),
  );
}
