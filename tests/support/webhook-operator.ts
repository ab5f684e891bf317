// An operator with two replicas, whose webhooks an API server calls over TLS: the same checks for a
// real one and for the fake.
import assert from "node:assert/strict";
import {
  connect as open,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import type { Client, Resource } from "@listwatch/client";
import { type Clock, sleep, systemClock } from "@listwatch/core-fifo";
import { customresourcedefinitions } from "@listwatch/resources/apiextensions.k8s.io/v1";
import {
  mutatingwebhookconfigurations,
  validatingwebhookconfigurations,
} from "@listwatch/resources/admissionregistration.k8s.io/v1";
import { configmaps, namespaces } from "@listwatch/resources/core/v1";
import {
  addedWebhook,
  type ReplicaEvents,
  type ReplicaSettings,
  reviewed,
  serveReplica,
  type WidgetV1,
  type WidgetV2,
  widgetsOf,
} from "./webhook-replica.ts";

/** A replica that API servers can call. */
export interface OperatorReplica {
  readonly port: number;
  /** Stops it as Kubernetes stops a pod. */
  stop(): Promise<void>;
  /** Ends its process without notice; undefined if it has no separate process. */
  readonly kill: (() => Promise<void>) | undefined;
}

/** Starts a replica; resolves once it listens. */
export type StartReplica = (
  settings: ReplicaSettings,
  events: ReplicaEvents,
) => Promise<OperatorReplica>;

type Check = (name: string, run: () => Promise<void>, limitMs?: number) => Promise<void>;

/** Options of {@link checkWebhookOperator}. */
export interface WebhookOperatorOptions {
  /** Makes the names of objects unique in the cluster. */
  readonly suffix: string;
  /** Pause between two creates of the load, in milliseconds. */
  readonly pauseMs: number;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default starts a replica in this process */
  readonly startReplica?: StartReplica | undefined;
}

const limitMs = 180_000;

/**
 * Runs the checks. Returns remarks with figures.
 *
 * @param client client of the cluster that calls the webhooks
 */
export async function checkWebhookOperator(
  client: Client,
  check: Check,
  options: WebhookOperatorOptions,
): Promise<readonly string[]> {
  const { clock = systemClock } = options;
  const notes: string[] = [];
  const operator = new Operator(client, options);
  await using _ = { [Symbol.asyncDispose]: () => operator.end() };
  await operator.prepare();
  const load = new Load(client, operator.namespace, options);

  await check(
    "two replicas start under load, without a refused create",
    async () => {
      await Promise.all([operator.start(), operator.start()]);
      await operator.until(async () => (await operator.create("probe", true)).isReviewed);
      assert.equal(operator.authorities.size, 1);
    },
    limitMs,
  );
  await check("a create is reviewed and changed, and a bad one refused", async () => {
    const { isReviewed } = await operator.create("good");
    assert.equal(isReviewed, true);
    await assert.rejects(operator.create("bad"), /denied the request: bad is no name/);
  });
  await check("an update sees the old object", async () => {
    const api = client.resource(configmaps);
    const key = `${operator.namespace}/good` as const;
    await api.patch(key, { data: { size: "2" } });
    await assert.rejects(api.patch(key, { data: { size: "1" } }), /size 1 is less than 2/);
  });
  await check("a dry run is reviewed and stores nothing", async () => {
    assert.equal((await operator.create("dry", true)).isReviewed, true);
    await assert.rejects(client.resource(configmaps).get(`${operator.namespace}/dry`));
    await operator.until(() => Promise.resolve(operator.dryRuns > 0));
  });
  await check("an object stored in one version is read in another one", async () => {
    const read = () => client.resource(operator.v2).get(`${operator.namespace}/stored`);
    await operator.until(async () => (await read()).spec.size === 7);
  });
  await check(
    "two rotations under load refuse no create",
    async () => {
      const before = operator.authorities.size;
      const created = load.created;
      await operator.until(() => Promise.resolve(operator.authorities.size >= before + 2));
      assert.equal(load.created > created, true);
      assert.deepEqual(load.refused, []);
    },
    limitMs,
  );
  await check(
    "a roll-out of a version with another webhook under load refuses no create (WHK-8)",
    async () => {
      for (const old of [...operator.replicas]) {
        await operator.start({ isSecond: true });
        assert.equal((await operator.webhooks()).includes(addedWebhook), false);
        await operator.stop(old);
      }
      const created = load.created;
      await operator.until(async () => (await operator.webhooks()).includes(addedWebhook));
      await operator.until(() => Promise.resolve(load.created > created + 20));
      assert.deepEqual(load.refused, []);
    },
    limitMs,
  );
  await check("no create of the load was refused or not reviewed", async () => {
    await load.end();
    assert.deepEqual(load.refused, []);
    assert.equal(load.missed, 0);
    assert.equal(load.created > 50, true);
    notes.push(
      `${load.created} creates, ${load.reviewed} of them reviewed, ` +
        `${operator.authorities.size} authorities`,
    );
  });
  const [killed] = operator.replicas;
  if (killed?.kill !== undefined) {
    await check(
      "a replica that is killed under load costs only creates of the next second",
      async () => {
        await operator.start({ isSecond: true });
        const next = new Load(client, operator.namespace, options, "killed");
        await sleep(1000, { clock });
        await operator.kill(killed);
        const refused = next.refused.length;
        const before = operator.authorities.size;
        await operator.until(() => Promise.resolve(operator.authorities.size > before));
        await next.end();
        notes.push(`${refused} of ${next.created + refused} creates were refused at a kill`);
        // One that was in flight when the replica left the address may follow for each loop.
        assert.equal(next.refused.length <= refused + 3, true, next.refused.at(-1));
      },
      limitMs,
    );
  }
  await check("without a replica, the failure policy refuses a create", async () => {
    for (const replica of [...operator.replicas]) await operator.stop(replica);
    await assert.rejects(operator.create("late"), /failed calling webhook/);
  });
  return notes;
}

function inThisProcess(client: Client, clock: Clock): StartReplica {
  return async (settings, events) => {
    const server = await serveReplica(client, settings, events, clock);
    return { port: server.port, stop: () => server.close(), kill: undefined };
  };
}

/** Replicas behind an address, as a Service is one. */
class Operator {
  readonly namespace: string;
  readonly replicas: OperatorReplica[] = [];
  /** All authorities that a replica has had. */
  readonly authorities = new Set<string>();
  readonly v1: Resource<WidgetV1>;
  readonly v2: Resource<WidgetV2>;
  dryRuns = 0;
  readonly #client: Client;
  readonly #options: WebhookOperatorOptions;
  readonly #clock: Clock;
  readonly #own: string;
  readonly #forwarder: Server;
  #turn = 0;

  constructor(client: Client, options: WebhookOperatorOptions) {
    const { suffix } = options;
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.namespace = `hooked-${suffix}`;
    this.#own = `hooks-${suffix}`;
    ({ v1: this.v1, v2: this.v2 } = widgetsOf(suffix));
    this.#forwarder = createServer((socket) => this.#forward(socket));
  }

  async prepare(): Promise<void> {
    await new Promise<void>((resolve) => this.#forwarder.listen(0, "127.0.0.1", resolve));
    for (const name of [this.namespace, this.#own]) {
      await this.#client.resource(namespaces).create({ metadata: { name } });
    }
    const { group, resource } = this.v1;
    await this.#client.resource(customresourcedefinitions).create({
      metadata: { name: `${resource}.${group}` },
      spec: {
        group,
        names: { plural: resource, singular: "widget", kind: "Widget", listKind: "WidgetList" },
        scope: "Namespaced",
        versions: ["v1", "v2"].map((name) => ({
          name,
          served: true,
          storage: name === "v1",
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        })),
      },
    });
    const metadata = { namespace: this.namespace, name: "stored" };
    await this.until(async () => {
      await this.#client.resource(this.v1).create({ metadata, size: "7" });
      return true;
    });
  }

  /** Starts a replica, and calls it once it has its certificate. */
  async start({ isSecond = false } = {}): Promise<void> {
    const { startReplica = inThisProcess(this.#client, this.#clock), suffix } = this.#options;
    const { namespace } = this;
    const settings = { suffix, namespace, own: this.#own, port: this.#port, isSecond };
    const replica = await startReplica(settings, {
      authority: (authority) => void this.authorities.add(authority),
      dryRun: () => void (this.dryRuns += 1),
    });
    this.replicas.push(replica);
  }

  /** Removes a replica from the address, as its readiness would, and stops it. */
  async stop(replica: OperatorReplica): Promise<void> {
    const stopped = replica.stop();
    // Endpoints follow the readiness with a delay.
    await sleep(500, { clock: this.#clock });
    this.#remove(replica);
    await stopped;
  }

  /** Kills the process of a replica, which leaves the address a second later. */
  async kill(replica: OperatorReplica): Promise<void> {
    await replica.kill?.();
    await sleep(1000, { clock: this.#clock });
    this.#remove(replica);
  }

  /** Names of the validating webhooks that API servers call. */
  async webhooks(): Promise<readonly string[]> {
    const api = this.#client.resource(validatingwebhookconfigurations);
    return ((await api.get(this.#own)).webhooks ?? []).map(({ name }) => name);
  }

  async create(name: string, dryRun = false): Promise<{ readonly isReviewed: boolean }> {
    const metadata = { namespace: this.namespace, name };
    const { metadata: stored } = await this.#client
      .resource(configmaps)
      .create({ metadata }, { dryRun });
    return { isReviewed: stored.annotations?.[reviewed] === "yes" };
  }

  async until(condition: () => Promise<boolean>): Promise<void> {
    for (;;) {
      try {
        if (await condition()) return;
      } catch {
        // It may not be served yet; the limit of the check bounds the wait.
      }
      await sleep(200, { clock: this.#clock });
    }
  }

  async end(): Promise<void> {
    for (const replica of [...this.replicas]) await this.stop(replica);
    const { group, resource } = this.v1;
    await this.#client.resource(mutatingwebhookconfigurations).delete(this.#own);
    await this.#client.resource(validatingwebhookconfigurations).delete(this.#own);
    await this.#client.resource(customresourcedefinitions).delete(`${resource}.${group}`);
    this.#forwarder.close();
  }

  get #port(): number {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (this.#forwarder.address() as AddressInfo).port;
  }

  #remove(replica: OperatorReplica): void {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }

  #forward(client: Socket): void {
    this.#turn += 1;
    const replica = this.replicas[this.#turn % Math.max(1, this.replicas.length)];
    if (replica === undefined) {
      client.destroy();
      return;
    }
    const server = open(replica.port, "127.0.0.1");
    client.pipe(server);
    server.pipe(client);
    client.on("error", () => server.destroy());
    server.on("error", () => client.destroy());
    client.on("close", () => server.end());
    server.on("close", () => client.end());
  }
}

/** Creates objects all the time. */
class Load {
  created = 0;
  reviewed = 0;
  /** Creates without a review that began after another one had been reviewed. */
  missed = 0;
  readonly refused: string[] = [];
  readonly #stop = new AbortController();
  readonly #loops: readonly Promise<void>[];

  constructor(client: Client, namespace: string, options: WebhookOperatorOptions, name = "load") {
    this.#loops = [0, 1, 2].map((loop) => {
      return this.#run(client, options, { namespace, name: `${name}-${loop}` });
    });
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  async #run(
    client: Client,
    { clock, pauseMs }: WebhookOperatorOptions,
    { name, namespace }: { readonly name: string; readonly namespace: string },
  ): Promise<void> {
    for (let count = 0; !this.#stop.signal.aborted; count += 1) {
      const metadata = { namespace, name: `${name}-${count}` };
      const mustReview = this.reviewed > 0;
      try {
        const { annotations } = (await client.resource(configmaps).create({ metadata })).metadata;
        this.created += 1;
        if (annotations?.[reviewed] === "yes") this.reviewed += 1;
        else if (mustReview) this.missed += 1;
      } catch (error) {
        this.refused.push(error instanceof Error ? error.message : String(error));
      }
      await sleep(pauseMs, { clock });
    }
  }
}
