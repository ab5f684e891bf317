import { createClient, createConnection, type Client } from "@listwatch/client";
import { Controller, ShardRing, type ShardRingOptions } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { MachineClock } from "./candidates.ts";
import { Cluster, configMaps, server, type ConfigMap } from "./cluster.ts";
import { times as limits } from "./election.ts";

export interface Run {
  readonly key: string;
  readonly atMs: number;
}

export type Reconcile = (
  key: string,
  context: { readonly signal: AbortSignal; readonly client: Client; readonly object: unknown },
) => Promise<void> | void;

type ReplicaArguments = [
  name: string,
  options?: Partial<ShardRingOptions> & { readonly stopTimeoutMs?: number },
  reconcile?: Reconcile,
  setUp?: (controller: Controller<ConfigMap>, factory: SharedInformerFactory) => void,
];

/** One process with a ring and a controller. */
export class Replica {
  readonly runs: Run[] = [];
  readonly errors: unknown[] = [];
  readonly clock: MachineClock;
  readonly ring: ShardRing;
  readonly controller: Controller<ConfigMap>;
  readonly client: Client;
  readonly stop = new AbortController();
  readonly ended: Promise<unknown>;
  isCut = false;
  /** Requests for Leases, as `METHOD`. */
  readonly leaseRequests: string[] = [];

  constructor(cluster: Cluster, ...args: ReplicaArguments) {
    const [
      name,
      { stopTimeoutMs = 2000, ...options } = {},
      reconcile = () => {},
      setUp = () => {},
    ] = args;
    const clock = new MachineClock(cluster.clock, { offsetMs: 0, rate: 1 });
    this.clock = clock;
    const fetch = async (request: Request): Promise<Response> => {
      if (this.isCut) throw new TypeError("fetch failed");
      if (request.url.includes("/leases")) this.leaseRequests.push(request.method);
      const answer = await cluster.api.fetch(request);
      await clock.awake();
      return answer;
    };
    const connection = createConnection({ server, fetch, headers: { "x-by": name } });
    this.client = createClient(connection, { clock });
    const factory = new SharedInformerFactory({ connection, clock, log: silentLog });
    this.ring = new ShardRing({
      client: this.client,
      namespace: "kube-system",
      name: "ring",
      identity: name,
      limits,
      random: cluster.random,
      telemetry: { log: silentLog },
      ...options,
    });
    this.controller = new Controller<ConfigMap>({
      clock,
      client: this.client,
      shards: this.ring,
      workers: 20,
      telemetry: { log: silentLog },
      limits: { stopTimeoutMs },
      onError: (error) => this.errors.push(error),
      ...({ informer: factory.informer(configMaps) } as object),
      reconcile: async (key, context) => {
        this.runs.push({ key, atMs: cluster.clock.now() });
        await reconcile(key, context);
      },
    });
    setUp(this.controller, factory);
    factory.start(this.stop.signal);
    const { signal } = this.stop;
    this.ended = Promise.allSettled([this.ring.run(signal), this.controller.run(signal)]);
  }

  get keys(): readonly string[] {
    return [...new Set(this.runs.map(({ key }) => key))].toSorted();
  }
}

/** The replicas of one test, with a cluster. */
export class Replicas {
  readonly cluster = new Cluster();
  readonly #all: Replica[] = [];

  add(...args: ReplicaArguments): Replica {
    const replica = new Replica(this.cluster, ...args);
    this.#all.push(replica);
    return replica;
  }

  async stop(): Promise<void> {
    for (const { stop } of this.#all) stop.abort();
    for (const replica of this.#all) replica.isCut = false;
    await this.cluster.clock.advance(30_000);
    await Promise.all(this.#all.map(({ ended }) => ended));
  }

  /** Advances until each of the replicas owns slots and waits for none. */
  async settle(...all: readonly Replica[]): Promise<void> {
    for (let second = 0; second < 40; second++) {
      await this.cluster.clock.advance(500);
      const states = all.map(({ ring }) => ring.status());
      const sum = states.reduce((total, { slots }) => total + slots.length, 0);
      const isStill = states.every(
        ({ slots, waitingFor }) => slots.length > 0 && !waitingFor.length,
      );
      if (sum === 32 && isStill) return;
    }
    throw new Error(`Not settled: ${JSON.stringify(all.map(({ ring }) => ring.status()))}`);
  }
}
