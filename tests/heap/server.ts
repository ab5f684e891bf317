import { createConnection, type Connection } from "@listwatch/client";

const encoder = new TextEncoder();

function configMap(name: string, resourceVersion: number): object {
  const metadata = {
    namespace: "shop",
    name,
    uid: `uid-${name}`,
    resourceVersion: `${resourceVersion}`,
  };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: "x".repeat(100) } };
}

/**
 * A minimal API server: lists, streamed lists and one open watch of config maps. The fake API
 * server keeps a history, which would distort the measurement.
 */
export class SmallServer {
  readonly connection: Connection;
  readonly #names: readonly string[];
  #revision = 1;
  /** The revision of the last change of all objects. */
  #changedAll = 1;
  #watch: ReadableStreamDefaultController<Uint8Array> | undefined;
  #watches = 0;

  constructor(objects: number) {
    this.#names = Array.from({ length: objects }, (_, index) => `map-${index}`);
    this.connection = createConnection({
      server: "http://cluster",
      fetch: async (request) => this.#answer(request),
    });
  }

  get watches(): number {
    return this.#watches;
  }

  /** Changes all objects without an event of the watch. */
  changeAll(): void {
    this.#changedAll = ++this.#revision;
  }

  /** Sends changes of objects in turn, in one chunk. */
  sendChanges(count: number): void {
    const lines: string[] = [];
    for (let index = 0; index < count; index++) {
      const name = this.#names[index % this.#names.length] ?? "";
      lines.push(eventLine("MODIFIED", configMap(name, ++this.#revision)));
    }
    this.#watch?.enqueue(encoder.encode(lines.join("")));
  }

  /** Sends the open watch an expired error, which causes a relist. */
  expire(): void {
    const status = { kind: "Status", apiVersion: "v1", code: 410, reason: "Expired" };
    this.#watch?.enqueue(encoder.encode(eventLine("ERROR", status)));
    this.#watch?.close();
    this.#watch = undefined;
  }

  #answer(request: Request): Response {
    const { searchParams } = new URL(request.url);
    if (searchParams.get("watch") !== "true") return Response.json(this.#list());
    this.#watches += 1;
    const initial = searchParams.get("sendInitialEvents") === "true" ? this.#streamedList() : "";
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#watch = controller;
        if (initial !== "") controller.enqueue(encoder.encode(initial));
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  }

  #list(): object {
    const items = this.#names.map((name) => configMap(name, this.#changedAll));
    const metadata = { resourceVersion: `${this.#revision}` };
    return { apiVersion: "v1", kind: "ConfigMapList", metadata, items };
  }

  #streamedList(): string {
    const lines = this.#names.map((name) => eventLine("ADDED", configMap(name, this.#changedAll)));
    const annotations = { "k8s.io/initial-events-end": "true" };
    const metadata = { resourceVersion: `${this.#revision}`, annotations };
    lines.push(eventLine("BOOKMARK", { apiVersion: "v1", kind: "ConfigMap", metadata }));
    return lines.join("");
  }
}

function eventLine(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}
