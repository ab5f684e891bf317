import { createClient, createConnection, sleep, type Client } from "listwatch";
import type { FakeApiServer, ServerControl } from "listwatch/fake-apiserver";
import { namespaces, pods } from "listwatch/resources/core/v1";
import { PodLives, type Stage } from "./pod-lives.ts";
import type { Session } from "./session.ts";
import { loadTest, plans, podLife, stepsToRunning } from "./simulated-pods.ts";

const burstSize = 200;
/** Namespace of the 50,000 pods. */
const namespace = "many";
/** Pods that one request removes; more would hold up the picture. */
const batchSize = 250;
/** Pods that are created in one turn of the event loop. */
const turnSize = 20;

/** A small simulated cluster on a fake API server, and the faults that need such a server. */
export class OwnCluster {
  /** Number of pods of {@link OwnCluster.setMany} on the server. */
  many = 0;
  readonly isReady = true;
  readonly #session: Stage & Pick<Session, "catchUp">;
  readonly #control: ServerControl;
  readonly #client: Client;
  readonly #lives: PodLives;
  readonly #begins: (() => Promise<void>)[] = [];

  constructor(session: Stage & Pick<Session, "catchUp">, server: FakeApiServer) {
    const { clock } = session;
    this.#session = session;
    this.#control = server.control;
    // Writes do not go through the network: it is left to the informer.
    const connection = createConnection({ server: "http://demo", fetch: server.fetch });
    this.#client = createClient(connection, { clock, retries: 0 });
    this.#lives = new PodLives(session);
  }

  /** Fills the server with running pods. */
  async setUp(): Promise<void> {
    for (const name of ["analytics", "payments", "shop", namespace]) {
      await this.#client.resource(namespaces).create({ metadata: { name } });
    }
    for (const plan of plans) {
      const life = () => podLife(this.#client, this.#session, plan);
      for (let count = 0; count < (plan.replicas ?? 1); count++) {
        this.#session.signal.throwIfAborted();
        const steps = life();
        for (const [, , write] of steps.slice(0, stepsToRunning)) await write();
        this.#begins.push(() => this.#lives.repeat(life, steps.slice(stepsToRunning)));
      }
    }
  }

  /** Keeps pods coming and going; ends without an error on abort. */
  async run(): Promise<void> {
    await Promise.all(this.#begins.map((begin) => begin()));
  }

  /** Forgets all history, so that a broken watch cannot go on; returns the newest version. */
  compactHistory(): string {
    const revision = this.#control.advanceRevision();
    this.#control.compact();
    return String(revision);
  }

  /** Refuses lists and watches with 429 for a time; resolves with the number of refusals. */
  async storm(durationMs: number): Promise<number> {
    const { clock, signal } = this.#session;
    const storm = this.#control.faults.add({
      match: { verb: ["list", "watch"] },
      times: Infinity,
      action: { type: "status", status: { code: 429, retryAfterSeconds: 1 } },
    });
    await sleep(durationMs, { clock, signal }).finally(() => storm.remove());
    return storm.fired;
  }

  /** Starts many pods at once; resolves with their number. */
  burst(): Promise<number> {
    return this.#lives.burst(burstSize, () => podLife(this.#client, this.#session, loadTest));
  }

  /** Adds or removes very many pods, in slices that leave turns of the event loop to others. */
  async setMany(total: number): Promise<void> {
    const { clock, signal } = this.#session;
    const resource = this.#client.resource(pods);
    while (this.many !== total) {
      signal.throwIfAborted();
      if (this.many > total) {
        const batch = Math.floor((this.many - 1) / batchSize);
        const options = { labelSelector: `batch=${batch}`, gracePeriodSeconds: 0 };
        await resource.deleteCollection({ namespace, ...options });
        this.many = batch * batchSize;
        // A watch that is too far behind would be refused.
        await this.#session.catchUp();
      } else {
        const labels = { batch: String(Math.floor(this.many / batchSize)) };
        const containers = [{ name: "main", image: "example.com/many:1.0" }];
        const metadata = { namespace, name: `many-${this.many}`, labels };
        await resource.create({ metadata, spec: { containers } });
        this.many++;
        if (this.many % turnSize === 0) await clock.nextTurn();
      }
    }
  }
}
