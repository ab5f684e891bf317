import { setTimeout as delay } from "node:timers/promises";
import {
  createClient,
  isNetworkError,
  isNotFound,
  isStatusError,
  type Connection,
  type ResourceClient,
} from "@listwatch/client";
import { seededRandom } from "@listwatch/core-fifo/testing";
import type { Loose } from "./programs/cluster.ts";
import { configMapWork, type StormWork } from "./storm-work.ts";

const writers = 6;
/** Pause after a failure, which usually means that the server is down. */
const pauseMs = 200;

/** Several concurrent writers with separate objects, which act at random. */
export class StormWriters {
  readonly #objects: ResourceClient<Loose>;
  readonly #work: StormWork;
  readonly #namespace: string;
  readonly #names: readonly Set<string>[] = Array.from({ length: writers }, () => new Set());
  readonly #counts = { created: 0, updated: 0, deleted: 0, failed: 0 };
  readonly #stop = new AbortController();
  #running: Promise<unknown> | undefined;
  #next = 0;

  constructor(connection: Connection, namespace: string, work: StormWork = configMapWork) {
    const client = createClient(connection, { retries: 0, timeoutMs: 5000 });
    this.#objects = client.resource(work.resource);
    this.#work = work;
    this.#namespace = namespace;
  }

  /** Creates objects. Every create must succeed. */
  async fill(count: number): Promise<void> {
    await this.#each(async (names) => {
      while (this.#next < count) await this.#create(names);
    });
    this.#counts.created = 0;
  }

  start(): void {
    this.#running = this.#each(async (names, index) => this.#write(names, seededRandom(index)));
  }

  /** Waits until the last write has ended. Throws on failures that the storm does not explain. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  get summary(): string {
    const { created, deleted, failed, updated } = this.#counts;
    const writes = created + updated + deleted;
    const parts = `${created} creates, ${updated} updates, ${deleted} deletes`;
    return `${writes} writes (${parts}), ${failed} requests failed`;
  }

  #each(run: (names: Set<string>, index: number) => Promise<void>): Promise<unknown> {
    return Promise.all(this.#names.map(run));
  }

  async #write(names: Set<string>, random: () => number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#writeOnce(names, random);
      } catch (error) {
        if (!isNetworkError(error) && !isStatusError(error)) throw error;
        this.#counts.failed++;
        await delay(pauseMs);
      }
    }
  }

  async #writeOnce(names: Set<string>, random: () => number): Promise<void> {
    const dice = random();
    const known = [...names];
    const name = known[Math.floor(random() * known.length)];
    if (dice < 0.2 || name === undefined) {
      await this.#create(names);
    } else if (dice < 0.4) {
      // It may be deleted already, if the response to an earlier delete was lost.
      await this.#objects.delete(`${this.#namespace}/${name}`).catch(ignoreGone);
      names.delete(name);
      this.#counts.deleted++;
    } else {
      const { isStatus = false, patch } = this.#work.change(random);
      const key = `${this.#namespace}/${name}`;
      await (isStatus ? this.#objects.patchStatus(key, patch) : this.#objects.patch(key, patch));
      this.#counts.updated++;
    }
  }

  async #create(names: Set<string>): Promise<void> {
    const index = this.#next++;
    const name = `storm-${index}`;
    const object: Partial<Loose> = this.#work.create(index, this.#namespace);
    const metadata = { ...object.metadata, namespace: this.#namespace, name };
    // If the response is lost, the object remains.
    await this.#objects.create({ ...object, metadata });
    names.add(name);
    this.#counts.created++;
  }
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
