import { isRecord, recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { FetchHandler } from "../api/request.ts";

/** The answer to one request. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** A resource, or a subresource such as `pods/status`, in discovery. */
export interface DiscoveredResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

// Any host: the handler looks at the path only.
const origin = "http://localhost";

/** Sends the requests of a load, in JSON. Asks once for the resources of each group and version. */
export class LoadClient {
  readonly #server: FetchHandler;
  readonly #resources: Map<string, Promise<readonly DiscoveredResource[]>> = new Map();

  constructor(server: FetchHandler) {
    this.#server = server;
  }

  /** The resources under `/api/v1` or `/apis/GROUP/VERSION`, read once. */
  resources(root: string): Promise<readonly DiscoveredResource[]> {
    let found = this.#resources.get(root);
    if (found === undefined) {
      found = this.#discover(root);
      this.#resources.set(root, found);
    }
    return found;
  }

  async send(method: string, path: string, object?: JsonObject): Promise<Answer> {
    const response = await this.#server.fetch(
      new Request(`${origin}${path}`, {
        method,
        headers: { Accept: "application/json", "Content-Type": "application/json" },
        ...(object === undefined ? {} : { body: JSON.stringify(object) }),
      }),
    );
    const text = await response.text();
    // An unknown group is answered in plain text.
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const body: unknown = isJson ? JSON.parse(text) : { message: text.trim() };
    const warnings = readWarnings(response.headers.get("warning") ?? "");
    return { status: response.status, body: recordOf(body), warnings };
  }

  async #discover(root: string): Promise<readonly DiscoveredResource[]> {
    const { body } = await this.send("GET", root);
    const resources = body["resources"];
    if (!Array.isArray(resources)) return [];
    return resources.filter(isRecord).map((entry) => ({
      name: stringOf(entry["name"]),
      kind: stringOf(entry["kind"]),
      namespaced: entry["namespaced"] === true,
    }));
  }
}

/** The texts of Warning headers (RFC 7234 §5.5), whose characters are the bytes of UTF-8. */
function readWarnings(header: string): readonly string[] {
  const quoted = header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(quoted, ([, text = ""]) =>
    Buffer.from(text.replaceAll(/\\(.)/g, "$1"), "latin1").toString("utf8"),
  );
}
