import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import {
  checkOneOf,
  consoleLog,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
} from "@listwatch/core-fifo/base";
import { Discovery } from "../discovery/discovery.ts";
import type { Connection } from "../http/connection.ts";
import { defaultRetries, defaultTimeoutMs, Requester, type UnaryRequest } from "../http/request.ts";
import { logWarnings, type Warning } from "../http/warnings.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { FieldValidation } from "./request-options.ts";
import { ResourceClient } from "./resource-client.ts";

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * Name that the server records as the manager of the fields that are written.
   *
   * @default none: the server takes the User-Agent
   */
  readonly fieldManager?: string | undefined;
  /**
   * What the server does with fields that it does not know, or that are there twice: refuses them,
   * warns, or nothing.
   *
   * @default "Strict"
   */
  readonly fieldValidation?: FieldValidation | undefined;
  /** Whether the server checks each write and stores nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /**
   * Called with each warning of the server, such as that an API will go.
   *
   * @default each text once in 10 min to console.warn
   */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /**
   * Time after which a request fails with a {@link NetworkError} of kind `timeout`, its repetitions
   * and the pauses before them included, in milliseconds. Infinity for none.
   *
   * @default 30 s
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Largest number of repetitions of a request; 0 for none. A refusal with 429 or 503 is repeated
   * after the time that the server names. What only reads is repeated also after a connection error
   * and after 429, 500, 502, 503 and 504, after 1 s, 2 s, 4 s and so on; a watch, a log or a page
   * only until it begins. No pause goes beyond `timeoutMs`, which lists, watches and logs have
   * not.
   *
   * @default 5
   */
  readonly retries?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/** Reads and writes the objects of an API server. */
export interface Client {
  /** A client of one resource. A handle of it says what its objects look like. */
  resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, Sub = unknown>(
    resource: ResourceReference<T, S, Sub>,
  ): ResourceClient<T, S, Sub>;
  /**
   * The same client, narrowed to one namespace, so that calls need not name it: `client.in("shop")`
   * makes clients as `client.resource(pods).in("shop")` does.
   */
  in(namespace: string): NamespacedClient;
  /** Which resources the server has. */
  readonly discovery: Discovery;
  /**
   * The clock of the client, by which what waits between its requests waits, too.
   *
   * @default systemClock, for a client of a program of its own
   */
  readonly clock?: Clock | undefined;
  /**
   * Sends any request, for what has no method here, and returns the parsed answer. Errors, time
   * limit and repetitions are those of all requests.
   */
  request(request: UnaryRequest): Promise<unknown>;
}

/** A {@link Client} that is narrowed to one namespace. */
export interface NamespacedClient {
  readonly namespace: string;
  /**
   * A client of the objects of one resource in the namespace, whose keys are names alone.
   *
   * @throws {InvalidOptionsError} if the namespace is empty, or the resource is cluster-scoped
   */
  resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, Sub = unknown>(
    resource: ResourceReference<T, S, Sub> & ([S] extends ["Cluster"] ? never : unknown),
  ): ResourceClient<T, S, Sub, string>;
}

/**
 * Makes a client. It keeps nothing between requests. What the server says it has not done is sent
 * again within a time limit, see {@link ClientOptions.retries}; so is, once, what it answers with
 * 401 where the connection can renew its credentials. Read from a lister where you can.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * const client = createClient(createConnection({ server: "http://127.0.0.1:8001" }));
 * const pods = client.resource({ group: "", version: "v1", resource: "pods" });
 * if (typeof pods.get !== "function") throw new Error("unreachable");
 * ```
 *
 * @throws {InvalidOptionsError} if no request could reach the server of the connection, or an
 *   option has a value that cannot be used
 */
export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  const { clock = systemClock, random = systemRandom, fieldManager } = options;
  const { timeoutMs = defaultTimeoutMs, retries = defaultRetries } = options;
  checkOneOf("fieldValidation", options.fieldValidation, ["Strict", "Warn", "Ignore"]);
  const onWarning = options.onWarning ?? logWarnings(consoleLog, clock);
  const requester = new Requester(connection, { clock, random, timeoutMs, retries, onWarning });
  const { dryRun = false, fieldValidation = "Strict" } = options;
  const writes = { dryRun, fieldManager, fieldValidation };
  const attempts = { clock, random, timeoutMs, retries };
  const context = { connection, requester, onWarning, writes, ...attempts };
  const resource: Client["resource"] = (reference) => new ResourceClient(context, reference);
  return {
    resource,
    in: (namespace) => ({
      namespace,
      resource: (reference) => new ResourceClient(context, reference, namespace),
    }),
    discovery: new Discovery(requester, clock),
    clock,
    request: (request) => requester.sendForJson(request),
  };
}
