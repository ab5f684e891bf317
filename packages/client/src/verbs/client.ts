import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import {
  consoleLog,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  aClock,
  aFunction,
  aNumber,
  checkOptions,
  createInvalidOptionError,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { Discovery } from "../discovery/discovery.ts";
import { bodyText } from "../http/body-text.ts";
import type { Connection } from "../http/connection.ts";
import {
  defaultRetries,
  defaultTimeoutMs,
  Requester,
  unaryTable,
  type UnaryRequest,
} from "../http/request.ts";
import { logWarnings, type Warning } from "../http/warnings.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { WriteObserver } from "./completed-write.ts";
import { writeTable, type FieldValidation } from "./request-options.ts";
import type { ResourceClientContext } from "./object-writer.ts";
import { ResourceClient } from "./resource-client.ts";

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * Name that the server records as the manager of written fields.
   *
   * @default none, the server uses the User-Agent
   */
  readonly fieldManager?: string | undefined;
  /**
   * Reaction of the server to unknown and duplicate fields: it refuses them, warns, or ignores
   * them.
   *
   * @default "Strict"
   */
  readonly fieldValidation?: FieldValidation | undefined;
  /** Whether the server checks each write and stores nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /**
   * Called with each warning of the server, such as about a deprecated API.
   *
   * @default warnings are written to the console, each text once in 10 min
   */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /**
   * Time limit of a request with its repetitions and delays, in milliseconds; for a list, the
   * longest time without an object. It then fails with a {@link NetworkError} of kind `timeout`.
   * Infinity for none.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of repetitions of a request; 0 for none. A refusal with 429 or 503 is repeated
   * after the delay that the server requests. Reads are also repeated after a connection error and
   * after 429, 500, 502, 503 and 504, with delays of 1 s, 2 s, 4 s and so on; a watch, a log or a
   * page only until it starts. No delay exceeds `timeoutMs`, which does not apply to `items`,
   * watches and logs.
   *
   * @default 5
   */
  readonly retries?: number | undefined;
  /**
   * Largest response that is read as a whole, in bytes after decompression: an object, the result
   * of a write, discovery. A larger one fails with a {@link DecodeError}. Lists and watches have a
   * limit for each object instead.
   *
   * @default 16_777_216 (16 MiB)
   */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Clock for time limits, for delays between repetitions, and for code that waits between
   * requests.
   *
   * @default systemClock
   */
  readonly clock?: Clock | undefined;
  /** Source of the jitter of delays, with results from 0 to less than 1. @default Math.random */
  readonly random?: Random | undefined;
}

const { signal: _, ...clientWriteTable } = writeTable;

const clientTable: OptionsOf<ClientOptions> = {
  ...clientWriteTable,
  onWarning: aFunction,
  maxAnswerBytes: aNumber(1),
  clock: aClock,
  random: aFunction,
};

/** Reads and writes the objects of an API server. */
export interface Client {
  /** Returns a client of one resource. A handle of the resource determines the type of its objects. */
  resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, Sub = unknown>(
    resource: ResourceReference<T, S, Sub>,
  ): ResourceClient<T, S, Sub>;
  /**
   * Returns the same client, narrowed to one namespace, so that calls need not contain it:
   * `client.in("shop")` returns clients like `client.resource(pods).in("shop")`.
   */
  in(namespace: string): NamespacedClient;
  /** Finds the resources of the server, such as by kind or short name. */
  readonly discovery: Discovery;
  /**
   * Clock of the client. Code that waits between its requests uses it too.
   *
   * @default systemClock, for a client that the program implements
   */
  readonly clock?: Clock | undefined;
  /**
   * Sends any request, for features without a method here, and returns the parsed response. Errors,
   * time limit and repetitions are the same as for all requests.
   */
  request(request: UnaryRequest): Promise<unknown>;
}

/** A {@link Client} that is narrowed to one namespace. */
export interface NamespacedClient {
  /** Namespace that all clients of this object read and write. */
  readonly namespace: string;
  /**
   * Returns a client of one resource in the namespace, whose keys are names.
   *
   * @throws {InvalidOptionsError} if the namespace is empty, or the resource is cluster-scoped
   */
  resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, Sub = unknown>(
    resource: ResourceReference<T, S, Sub> & ([S] extends ["Cluster"] ? never : unknown),
  ): ResourceClient<T, S, Sub, string>;
}

/**
 * Creates a client. It keeps nothing between requests. Requests that the server has not carried out
 * are repeated within a time limit, see {@link ClientOptions.retries}. So is, once, a request that
 * is answered with 401, if the connection can renew its credentials. Read from a lister where you
 * can.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * const client = createClient(createConnection({ server: "http://127.0.0.1:8001" }));
 * const pods = client.resource({ group: "", version: "v1", resource: "pods" });
 * if (typeof pods.get !== "function") throw new Error("unreachable");
 * ```
 *
 * @throws {InvalidOptionsError} if no request could reach the server of the connection, or an
 *   option has an invalid value
 */
export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  checkOptions(options, clientTable);
  const { clock = systemClock, random = systemRandom, fieldManager } = options;
  const { timeoutMs = defaultTimeoutMs, retries = defaultRetries } = options;
  const onWarning = options.onWarning ?? logWarnings(consoleLog, clock);
  const limits = { timeoutMs, retries, maxAnswerBytes: options.maxAnswerBytes };
  const requester = new Requester(connection, {
    clock,
    random,
    ...limits,
    onWarning,
    toText: bodyText,
  });
  const { dryRun = false, fieldValidation = "Strict" } = options;
  const writes = { dryRun, fieldManager, fieldValidation };
  const attempts = { clock, random, timeoutMs, retries };
  const context = { connection, requester, onWarning, writes, ...attempts };
  return assemble({ connection, options, context, discovery: new Discovery(requester, clock) });
}

/** Parts of a client, from which others are derived. */
interface ClientParts {
  readonly connection: Connection;
  readonly options: ClientOptions;
  readonly context: ResourceClientContext;
  readonly discovery: Discovery;
}

const partsOf = new WeakMap<object, ClientParts>();

function assemble(parts: ClientParts): Client {
  const { context, discovery } = parts;
  const { clock, requester } = context;
  const client: Client = {
    resource: (reference) => new ResourceClient(context, reference),
    in: (namespace) => ({
      namespace,
      resource: (reference) => new ResourceClient(context, reference, namespace),
    }),
    discovery,
    clock,
    request: async (request) => {
      checkOptions(request, unaryTable, ["method", "path"]);
      return requester.sendForJson(request);
    },
  };
  partsOf.set(client, parts);
  return client;
}

/** Returns whether {@link createClient} has created a client, so that others can be derived. */
export function isOwnClient(client: object): boolean {
  return partsOf.has(client);
}

/**
 * Returns a client that also calls `onWrite` with each write that the server has stored. Dry runs,
 * evictions, deletions of collections and `request` are not reported.
 *
 * @throws {InvalidOptionsError} if {@link createClient} has not created the client
 */
export function observeWrites(client: Client, onWrite: WriteObserver): Client {
  const parts = findParts(client);
  const former = parts.context.onWrite;
  const both: WriteObserver = (write) => {
    former?.(write);
    onWrite(write);
  };
  const context = { ...parts.context, onWrite: former === undefined ? onWrite : both };
  return assemble({ ...parts, context });
}

/**
 * Returns a client with the same options over another connection.
 *
 * @throws {InvalidOptionsError} if {@link createClient} has not created the client
 */
export function reconnectClient(
  client: Client,
  connect: (connection: Connection) => Connection,
): Client {
  const { connection, context, options } = findParts(client);
  const made = createClient(connect(connection), options);
  return context.onWrite === undefined ? made : observeWrites(made, context.onWrite);
}

function findParts(client: Client): ClientParts {
  const parts = partsOf.get(client);
  if (parts !== undefined) return parts;
  throw createInvalidOptionError("client", "what createClient makes", client);
}
