import { reconnectClient } from "@listwatch/client/base";
import type { Client, Connection } from "@listwatch/client";
import { linkAbort, metadataOf, recordOf } from "@listwatch/core-fifo/base";

/** The lease of an election, and the current right to write. */
export interface FenceParts {
  readonly namespace: string;
  readonly name: string;
  /**
   * Returns the signals that end the current term: writes pass until one is aborted. `undefined`
   * outside of a term.
   */
  readonly ends: () => readonly AbortSignal[] | undefined;
  /** Creates the error for a write outside of a term, from the reason of the signal that ended it. */
  readonly refuse: (reason: unknown) => Error;
}

/**
 * Lets the writes of a client or a connection pass only during a term. Others are refused before
 * they are sent, and those in flight are aborted when the term ends.
 */
export class Fence {
  readonly #parts: FenceParts;
  readonly #leases: string;

  constructor(parts: FenceParts) {
    this.#parts = parts;
    this.#leases = `/apis/coordination.k8s.io/v1/namespaces/${parts.namespace}/leases`;
  }

  guardClient(client: Client): Client {
    return reconnectClient(client, (connection) => this.guardConnection(connection));
  }

  guardConnection(connection: Connection): Connection {
    const fetch = (request: Request): Promise<Response> => this.#fetch(connection, request);
    return {
      get server() {
        return connection.server;
      },
      get namespace() {
        return connection.namespace;
      },
      get encoding() {
        return connection.encoding;
      },
      fetch,
    };
  }

  async #fetch(connection: Connection, request: Request): Promise<Response> {
    if (!isWrite(request) || (await this.#isFree(request))) return connection.fetch(request);
    // Reads the clock: a process that was suspended may not know yet that its term is over.
    const ends = this.#parts.ends();
    const findEnd = (): AbortSignal | undefined => ends?.find(({ aborted }) => aborted);
    const end = findEnd();
    if (ends === undefined || end !== undefined) throw this.#parts.refuse(end?.reason);
    const link = linkAbort(request.signal, ...ends);
    const fenced = new Request(request, { signal: link.signal });
    try {
      return await connection.fetch(fenced);
    } catch (error) {
      const ended = findEnd();
      if (ended === undefined || request.signal.aborted) throw error;
      throw this.#parts.refuse(ended.reason);
    } finally {
      link.release();
      // The sender of the request hides the credentials that it finds in its headers.
      for (const [name, value] of fenced.headers) {
        if (request.headers.get(name) !== value) request.headers.set(name, value);
      }
    }
  }

  /** Whether a write needs no leadership. */
  async #isFree(request: Request): Promise<boolean> {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.slice(Math.max(0, pathname.search(/\/apis?\//)));
    const isDelete = request.method === "DELETE";
    const isLease = path === `${this.#leases}/${this.#parts.name}`;
    if (isReview(path) || (!isDelete && (isLease || isEvents(path)))) return true;
    const isDry = searchParams.get("dryRun") === "All";
    // A pod or service behind a connection does not know the parameter.
    if (isDry && !isDelete) return !isConnection(path);
    const isLeases = request.method === "POST" && path === this.#leases;
    if (!isDelete && !isLeases && !path.endsWith("/eviction")) return false;
    const text = await request.clone().text();
    // The server ignores the query of a deletion that has a body (apiserver, handlers/delete.go).
    if (text === "") return isDry;
    const body = parse(text);
    if (isLeases) return metadataOf(body)?.name === this.#parts.name;
    return isDryRun(isDelete ? body : recordOf(body["deleteOptions"]));
  }
}

function isWrite({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** Reviews are questions, such as a SubjectAccessReview, of which the server stores nothing. */
function isReview(path: string): boolean {
  return reviews.test(path);
}

/** The recorder creates events and patches their counts. */
function isEvents(path: string): boolean {
  return events.test(path);
}

function isConnection(path: string): boolean {
  return connections.test(path);
}

const reviews =
  /^\/apis\/(authentication|authorization)\.k8s\.io\/[^/]+\/(namespaces\/[^/]+\/)?[^/]+reviews$/;
const events = /^\/(api\/v1|apis\/events\.k8s\.io\/[^/]+)\/namespaces\/[^/]+\/events(\/[^/]+)?$/;
const connections =
  /^\/api\/v1\/(namespaces\/[^/]+\/)?[^/]+\/[^/]+\/(attach|exec|portforward|proxy)(\/|$)/;

function isDryRun({ dryRun }: { readonly dryRun?: unknown }): boolean {
  return Array.isArray(dryRun) && dryRun.includes("All");
}

/** Returns an empty object for a string that is not the JSON of an object. */
function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}
