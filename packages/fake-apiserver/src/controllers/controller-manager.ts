import { type Log, type Timer } from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import type { StorageEvent } from "../storage/event-log.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { Cluster } from "./cluster.ts";
import type { Controller } from "./controller.ts";

// client-go workqueue, `DefaultControllerRateLimiter`; 15 retries as in k8s.io/kubernetes
// deployment_controller.go, `maxRetries`.
const firstRetryMs = 5;
const maxRetries = 15;
// Clients get their turn during long work.
const turnTasks = 50;

interface Worker {
  readonly name: string;
  readonly controller: Controller;
  readonly keys: Set<string>;
  readonly timers: Map<string, Timer>;
  readonly failures: Map<string, number>;
}

/**
 * Runs controllers, one reconcile at a time: the first controller with work goes first. Without
 * work it has no timers.
 */
export class ControllerManager {
  readonly #cluster: Cluster;
  readonly #log: Log;
  readonly #workers: readonly Worker[];
  #running: Promise<void> | undefined;

  constructor(cluster: Cluster, controllers: ReadonlyMap<string, Controller>, log: Log) {
    this.#cluster = cluster;
    this.#log = log;
    this.#workers = Array.from(controllers, ([name, controller]) => ({
      name,
      controller,
      keys: new Set<string>(),
      timers: new Map<string, Timer>(),
      failures: new Map<string, number>(),
    }));
  }

  /** Looks at all objects again, after the state of the server was replaced. */
  reload(): void {
    for (const worker of this.#workers) {
      for (const [resource, keysOf] of Object.entries(worker.controller.watches)) {
        for (const stored of this.#cluster.list(resource)) {
          const change = { stored, previous: undefined, isDeleted: false };
          for (const key of keysOf(change)) worker.keys.add(key);
        }
      }
    }
    this.#start();
  }

  /** Queues what a write concerns. */
  changed({ resource }: ResourceStore, { previous, stored, type }: StorageEvent): void {
    if (this.#cluster.isLoading) return;
    const change = { stored, previous, isDeleted: type === "DELETED" };
    for (const { controller, failures, keys } of this.#workers) {
      const keysOf = controller.watches[resource] ?? controller.others;
      for (const key of keysOf?.(change) ?? []) {
        keys.add(key);
        failures.delete(key);
      }
    }
    this.#start();
  }

  /** Queues a key of a controller. */
  enqueue(name: string, key: string): void {
    this.#workers.find((worker) => worker.name === name)?.keys.add(key);
    this.#start();
  }

  /** Resolves when no reconcile runs or waits, apart from delayed ones. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #start(): void {
    if (this.#running !== undefined || this.#next() === undefined) return;
    this.#running = this.#run();
  }

  #next(): Worker | undefined {
    return this.#workers.find(({ keys }) => keys.size > 0);
  }

  async #run(): Promise<void> {
    const { clock } = this.#cluster;
    let tasks = 0;
    for (let worker = this.#next(); worker !== undefined; worker = this.#next()) {
      if (tasks++ % turnTasks === 0) await clock.nextTurn();
      if (this.#cluster.isLoading) break;
      const [key = ""] = worker.keys;
      worker.keys.delete(key);
      await this.#reconcile(worker, key);
    }
    this.#running = undefined;
  }

  async #reconcile(worker: Worker, key: string): Promise<void> {
    worker.timers.get(key)?.cancel();
    worker.timers.delete(key);
    try {
      const delay = await worker.controller.reconcile(key);
      worker.failures.delete(key);
      if (delay !== undefined) this.#later(worker, key, delay);
    } catch (error) {
      this.#retry(worker, key, error);
    }
  }

  #retry(worker: Worker, key: string, error: unknown): void {
    const failures = worker.failures.get(key) ?? 0;
    const fields = { controller: worker.name, key, error };
    if (!(error instanceof ApiError)) {
      this.#log.error("A simulated controller failed", fields);
    } else if (failures >= maxRetries) {
      this.#log.warn("A simulated controller waits for the next change", fields);
    }
    if (failures >= maxRetries) {
      worker.failures.delete(key);
      return;
    }
    worker.failures.set(key, failures + 1);
    this.#later(worker, key, firstRetryMs * 2 ** failures);
  }

  #later(worker: Worker, key: string, delayMs: number): void {
    const timer = this.#cluster.clock.setTimeout(() => {
      worker.timers.delete(key);
      worker.keys.add(key);
      this.#start();
    }, delayMs);
    worker.timers.set(key, timer);
  }
}
