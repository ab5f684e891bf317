import { linkAbort, untilAborted, type LinkedAbort } from "@listwatch/core-fifo/base";
import type { Agents } from "./node-agents.ts";
import { Http2Connection } from "./node-http2-connection.ts";
import { openTls } from "./node-http2-socket.ts";

/** Time limit for a connection with its handshakes, in milliseconds: Go's `net.Dialer`. */
const connectMs = 30_000;

/** A connection that is being opened. */
interface Opening {
  readonly done: Promise<void>;
  readonly link: LinkedAbort;
  waiting: number;
}

/** Room for a request, to be released. */
export interface Room {
  readonly connection: Http2Connection;
  /** Whether the connection was unused for a time, in which the server may have closed it. */
  readonly wasIdle: boolean;
}

/** Connections to one server. */
interface Origin {
  readonly connections: Set<Http2Connection>;
  opening: Opening | undefined;
  /** Whether the server only has HTTP/1.1. */
  isPlain: boolean;
}

/** Connections over HTTP/2 with the same credentials and proxy, by server. */
export class Http2Pool {
  readonly #agents: Agents;
  readonly #origins = new Map<string, Origin>();
  readonly #end = new AbortController();

  constructor(agents: Agents) {
    this.#agents = agents;
  }

  /**
   * Reserves room for a request; `undefined` if the server only has HTTP/1.1. Another connection is
   * opened when the server takes no more requests on those that are open, one at a time.
   */
  async take(url: URL, signal: AbortSignal): Promise<Room | undefined> {
    const origin = this.#originOf(url);
    for (;;) {
      signal.throwIfAborted();
      if (origin.isPlain) return undefined;
      for (const connection of origin.connections) {
        // In one turn with the check, before other requests see the same room.
        if (connection.hasRoom) return { connection, wasIdle: connection.reserve() };
        if (connection.isClosed) origin.connections.delete(connection);
      }
      await this.#open(origin, url, signal);
    }
  }

  /** Ends all connections and their requests at once. */
  destroy(): void {
    const error = closed();
    this.#end.abort(error);
    for (const { connections } of this.#origins.values()) {
      for (const connection of connections) connection.destroy(error);
    }
  }

  #originOf({ origin: name }: URL): Origin {
    const held = this.#origins.get(name);
    if (held !== undefined) return held;
    const origin: Origin = { connections: new Set(), opening: undefined, isPlain: false };
    this.#origins.set(name, origin);
    return origin;
  }

  /** Waits for the connection that is being opened, which ends when nothing waits for it. */
  async #open(origin: Origin, url: URL, signal: AbortSignal): Promise<void> {
    const opening = (origin.opening ??= this.#begin(origin, url));
    opening.waiting++;
    try {
      await untilAborted(opening.done, signal);
    } finally {
      opening.waiting--;
      if (opening.waiting === 0) opening.link.abort(closed());
    }
  }

  #begin(origin: Origin, url: URL): Opening {
    const link = linkAbort(this.#end.signal);
    const { clock } = this.#agents.options;
    const limit = clock.setTimeout(() => link.abort(late()), connectMs);
    const done = this.#connect(origin, url, link.signal).finally(() => {
      limit.cancel();
      link.release();
      origin.opening = undefined;
    });
    return { done, link, waiting: 0 };
  }

  async #connect(origin: Origin, url: URL, signal: AbortSignal): Promise<void> {
    const socket = await openTls(this.#agents, url, signal);
    if (socket.alpnProtocol !== "h2") {
      origin.isPlain = true;
      socket.destroy();
      return;
    }
    const started = Http2Connection.start(url.origin, socket, this.#agents.options);
    try {
      origin.connections.add(await untilAborted(started, signal));
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
}

function closed(): Error {
  return Object.assign(new Error("The connection was closed"), { code: "ECONNABORTED" });
}

function late(): Error {
  const message = "The server did not complete the connection in time";
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}
