import { createClient, createConnection, type Client, type Connection } from "@listwatch/client";
import type { ResourceReference } from "@listwatch/client";
import {
  metaNamespaceKey,
  sleep,
  systemClock,
  type Clock,
  type KubernetesObject,
  type Log,
  type Random,
} from "@listwatch/core-fifo";
import { describeError, isRecord, recordOf } from "@listwatch/core-fifo/base";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { createManager, type Manager, type ManagerOptions } from "@listwatch/manager";
import type { ClusterState } from "../simulation/scenario.ts";
import { ConditionNotMetError, LeftRunningError, UnsupportedError } from "./errors.ts";
import { evaluate, holds, ObservedState } from "./observed-state.ts";
import { OpenRequests } from "./open-requests.ts";
import { startRealServer, type RealServer } from "./real-server.ts";
import { createTestLog, type TestLogLine } from "./test-log.ts";

/** Options of a cluster with a real API server, without its kind. */
interface StartOptions {
  readonly objects?: Iterable<object> | undefined;
  readonly definitions?: Iterable<object> | undefined;
  readonly seed?: number | undefined;
}

/** Time between two looks at the server, in milliseconds. */
const pollMs = 100;
/** Time that a definition has until discovery shows it, in milliseconds. */
const discoveryMs = 60_000;
/** Time that parts have for their end, in milliseconds: a pod's grace and as much again. */
const endMs = 60_000;

/**
 * A cluster in a test with a real kube-apiserver and etcd, on real time. It has the members of a
 * `TestCluster`; those that need simulated time or a fake server reject or throw an
 * `UnsupportedError`.
 */
export class RealTestCluster implements AsyncDisposable {
  /** Connection of the program under test, with the rights of an administrator. */
  readonly connection: Connection;
  /** Client of the test itself. */
  readonly client: Client;
  /** The clock of the machine. */
  readonly clock: Clock = systemClock;
  /** Random numbers from the seed. */
  readonly random: Random;
  /** Log that keeps its lines in {@link lines}, and prints nothing. */
  readonly log: Log;
  /** Lines of the log, oldest first. */
  readonly lines: readonly TestLogLine[];
  /** Aborted when the test ends. */
  readonly signal: AbortSignal;
  readonly #server: RealServer;
  readonly #requests: OpenRequests;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #startedMs = systemClock.now();
  #failure: { readonly error: unknown } | undefined;
  #ending: Promise<void> | undefined;

  /** Called by `testCluster`. */
  constructor(server: RealServer, seed: number) {
    this.#server = server;
    this.#requests = new OpenRequests(server.fetch);
    const address = "https://kubernetes.default.svc";
    this.connection = createConnection({
      server: address,
      fetch: (request) => this.#requests.send(request),
    });
    this.random = seededRandom(seed);
    this.client = createClient(createConnection({ server: address, fetch: server.fetch }));
    ({ lines: this.lines, log: this.log } = createTestLog(systemClock));
    this.signal = this.#stop.signal;
  }

  /** Milliseconds since the start of the cluster. */
  get nowMs(): number {
    return systemClock.now() - this.#startedMs;
  }

  /**
   * The control of a fake server, which a real one does not have.
   *
   * @throws {UnsupportedError} always: faults need the fake server
   */
  get server(): never {
    throw new UnsupportedError("Cannot control a real API server: faults need the fake one");
  }

  /** Rejects with an {@link UnsupportedError}: real time passes by itself. */
  advance(_ms: number): Promise<never> {
    return Promise.reject(
      new UnsupportedError("Cannot let time pass at a real API server; wait with until"),
    );
  }

  /** Rejects with an {@link UnsupportedError}: nothing tells when a real server has settled. */
  settle(): Promise<never> {
    return Promise.reject(
      new UnsupportedError("Cannot settle a real API server; wait for a condition with until"),
    );
  }

  /** Starts a part of the program, as `run` of a `TestCluster` does. */
  run(name: string, start: (signal: AbortSignal) => Promise<unknown>): void {
    const watchOver = async (): Promise<void> => {
      try {
        await start(this.signal);
      } catch (error) {
        if (!this.signal.aborted || error !== this.signal.reason) this.#failure ??= { error };
      }
      this.#running.delete(name);
    };
    this.#running.set(name, Promise.resolve().then(watchOver));
  }

  /** Creates a manager on this cluster, as `manager` of a `TestCluster` does. */
  manager(options: ManagerOptions): Manager {
    const { log, random } = this;
    const telemetry = { log, ...options.telemetry };
    return createManager(this.connection, {
      signals: false,
      server: false,
      random,
      ...options,
      telemetry,
    });
  }

  /**
   * Waits until a condition holds. The condition is called ten times a second, with the objects of
   * the server at that time.
   *
   * @param options `timeoutMs` is real time here. @default 60000
   * @returns the value of the condition
   * @throws {ConditionNotMetError} if it does not hold within the time, with what was last seen
   */
  async until<R>(
    condition: (state: ClusterState) => R | Promise<R>,
    { timeoutMs = 60_000 }: { readonly timeoutMs?: number | undefined } = {},
  ): Promise<Exclude<Awaited<R>, false | null | string | undefined>> {
    const deadlineMs = systemClock.now() + timeoutMs;
    const resources = new Map<string, ResourceReference>();
    for (;;) {
      this.#throwFailure();
      const lists = new ListedState(this.nowMs, resources);
      await lists.read(this.client);
      const view = new ObservedState(lists);
      const { error, value } = await evaluate(() => condition(view));
      // The condition has named a resource for the first time: its objects are read, too.
      if (lists.isIncomplete) continue;
      if (error === undefined && holds(value)) return value;
      if (systemClock.now() >= deadlineMs) {
        const returned = error === undefined ? value : `it threw: ${describeError(error.thrown)}`;
        const options = { cause: error?.thrown };
        throw new ConditionNotMetError(timeoutMs / 1000, view.describe(returned), options, "real");
      }
      await sleep(pollMs);
    }
  }

  /**
   * Ends the test: aborts the signal, waits at most a minute for all parts, and ends the server.
   *
   * @throws {LeftRunningError} if a part, a request or a watch of the program is left
   * @throws the error of a part that failed
   */
  stop(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Ends the test, as {@link stop} does. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #end(): Promise<void> {
    this.#stop.abort(new Error("The test has ended"));
    const limit = new AbortController();
    const late = sleep(endMs, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running.values()), late]);
    limit.abort();
    const left = [
      ...[...this.#running.keys()].map((name) => `${name} running`),
      ...this.#requests.descriptions,
    ];
    await this.#server.stop();
    this.#throwFailure();
    if (left.length > 0) throw new LeftRunningError(left);
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }
}

/** The objects of the resources that a condition reads, listed before it is called. */
class ListedState implements ClusterState {
  readonly nowMs: number;
  readonly #resources: Map<string, ResourceReference>;
  readonly #objects = new Map<string, readonly KubernetesObject[]>();
  isIncomplete = false;

  constructor(nowMs: number, resources: Map<string, ResourceReference>) {
    this.nowMs = nowMs;
    this.#resources = resources;
  }

  async read(client: Client): Promise<void> {
    for (const [name, resource] of this.#resources) {
      const { items } = await client.resource(resource).list();
      this.#objects.set(name, items);
    }
  }

  list<T extends KubernetesObject>(resource: ResourceReference<T>): readonly T[] {
    const name = `${resource.group}/${resource.version}/${resource.resource}`;
    const objects = this.#objects.get(name);
    this.#resources.set(name, resource);
    if (objects === undefined) this.isIncomplete = true;
    // The server holds objects of this resource here, and its handle knows their type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (objects ?? []) as readonly T[];
  }

  get<T extends KubernetesObject>(resource: ResourceReference<T>, key: string): T | undefined {
    return this.list(resource).find((object) => metaNamespaceKey(object) === key);
  }
}

/** Starts a cluster with a real API server, and creates its definitions and objects. */
export async function startRealCluster(options: StartOptions): Promise<RealTestCluster> {
  const { definitions = [], objects = [], seed = 1 } = options;
  const cluster = new RealTestCluster(await startRealServer(), seed);
  try {
    const names: string[] = [];
    for (const definition of definitions) names.push(await create(cluster.client, definition));
    for (const name of names) await established(cluster, name);
    for (const object of objects) await create(cluster.client, object);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

const namespaces = { group: "", version: "v1", resource: "namespaces", kind: "Namespace" };

/** Creates an object, and its namespace if that is missing. Returns its name. */
async function create(client: Client, given: object): Promise<string> {
  const object = recordOf(given);
  const { apiVersion, kind, metadata } = object;
  const resource = await resourceOf(client, String(apiVersion), String(kind));
  const { name = "", namespace } = recordOf(metadata);
  if (typeof namespace === "string") {
    const known = await client.resource(namespaces).list();
    if (!known.items.some((each) => each.metadata?.name === namespace)) {
      await client.resource(namespaces).create({ metadata: { name: namespace } });
    }
  }
  await client.resource(resource).create(object);
  return String(name);
}

/** Returns the resource of a type, which discovery shows some time after its definition. */
async function resourceOf(
  client: Client,
  apiVersion: string,
  kind: string,
): Promise<ResourceReference> {
  const deadlineMs = systemClock.now() + discoveryMs;
  for (;;) {
    const resource = await client.discovery.forKind({ apiVersion, kind });
    if (resource !== undefined) return resource;
    if (systemClock.now() >= deadlineMs) {
      throw new TypeError(`Cannot create an object: the server has no ${kind} of ${apiVersion}`);
    }
    await sleep(pollMs);
  }
}

const definitionsResource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
};

function established(cluster: RealTestCluster, name: string): Promise<unknown> {
  return cluster.until((state) => {
    const { status } = recordOf(state.get(definitionsResource, name));
    const conditions: unknown = recordOf(status)["conditions"];
    const all: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
    return all
      .filter(isRecord)
      .some(({ status: is, type }) => type === "Established" && is === "True");
  });
}
