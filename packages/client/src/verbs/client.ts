import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import { systemClock, type Clock } from "@listwatch/core-fifo/base";
import type { Connection } from "../http/connection.ts";
import { Requester } from "../http/request.ts";
import type { ResourceReference } from "../resource/resource.ts";
import { ResourceClient } from "./resource-client.ts";

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * Name that the server records as the manager of the fields that are written.
   *
   * @default none: the server takes the User-Agent
   */
  readonly fieldManager?: string | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Reads and writes the objects of an API server. */
export interface Client {
  /** A client of one resource. A handle of it says what its objects look like. */
  resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope>(
    resource: ResourceReference<T, S>,
  ): ResourceClient<T, S>;
}

/**
 * Makes a client. It keeps nothing between requests and repeats none, except once after a 401 where
 * the connection can renew its credentials. Read from a lister where you can.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * const client = createClient(createConnection({ server: "http://127.0.0.1:8001" }));
 * const pods = client.resource({ group: "", version: "v1", resource: "pods" });
 * if (typeof pods.get !== "function") throw new Error("unreachable");
 * ```
 *
 * @throws {InvalidOptionsError} if no request could reach the server of the connection
 */
export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  const requester = new Requester(connection, options.clock ?? systemClock);
  return {
    resource: (resource) => new ResourceClient(requester, resource, options.fieldManager),
  };
}
