import { sleep } from "@listwatch/core-fifo";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen, type Listener } from "@listwatch/fake-apiserver/node";
import { ClusterDriver } from "./cluster-driver.ts";
import { Cluster } from "./cluster.ts";
import type { ChangeAges } from "./change-ages.ts";
import { ManyPods } from "./many-pods.ts";
import type { OwnCluster } from "./own-cluster.ts";

const burstSize = 200;

/**
 * A fake API server on a free loopback port with a simulated cluster in it, and the switches that
 * break things.
 */
export class LocalCluster implements OwnCluster {
  readonly manyPods: ManyPods;
  readonly #server: FakeApiServer;
  readonly #listener: Listener;
  readonly #driver: ClusterDriver;

  private constructor(server: FakeApiServer, listener: Listener, driver: ClusterDriver) {
    this.#server = server;
    this.#listener = listener;
    this.#driver = driver;
    this.manyPods = new ManyPods(server.fetch);
  }

  /**
   * Starts the server and fills it; rejects, with nothing left running, when the signal aborts
   * before that is done.
   */
  static async start(seed: number, ages: ChangeAges, signal: AbortSignal): Promise<LocalCluster> {
    // Pods go when our own kubelet says so.
    const server = new FakeApiServer({ seed, podDeletion: "never" });
    const listener = await listen(server);
    const cluster = new Cluster(seededRandom(seed), Date.now());
    const driver = new ClusterDriver(cluster, listener.url, ages);
    try {
      await driver.setUp(signal);
    } catch (error) {
      await listener.close();
      throw error;
    }
    return new LocalCluster(server, listener, driver);
  }

  get url(): string {
    return this.#listener.url;
  }

  /** Lets the cluster live until the signal aborts, then closes the server. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#driver.run(signal);
    } finally {
      await this.#listener.close();
    }
  }

  dropConnections(): string {
    const { watches } = this.#server.control;
    const open = watches.list().length;
    watches.reset();
    return `Reset ${open === 1 ? "the watch's connection" : `the connections of ${open} watches`}`;
  }

  // A watch that is open does not notice a compaction; one that comes back with a version from
  // before it does.
  compactHistory(): string {
    const { control } = this.#server;
    control.watches.reset();
    const revision = control.advanceRevision();
    control.compact();
    return `Compacted the history up to resourceVersion ${revision}`;
  }

  async burst(signal: AbortSignal): Promise<number> {
    await this.#driver.burst(burstSize, signal);
    return burstSize;
  }

  async storm(durationMs: number, signal: AbortSignal): Promise<number> {
    const { faults, watches } = this.#server.control;
    const storm = faults.add({
      name: "429 storm",
      match: { verb: ["list", "watch"] },
      times: Infinity,
      action: { type: "status", status: { code: 429, retryAfterSeconds: 1 } },
    });
    watches.reset();
    await sleep(durationMs, { signal }).catch(() => {});
    storm.remove();
    return storm.fired;
  }
}
