import type { WatchEvent } from "@listwatch/client";
import { seededRandom } from "@listwatch/core-fifo/testing";
import type { ListerWatcher } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { start } from "../support/running.ts";
import { mostWithin, WatchfulStore } from "../support/watchful-store.ts";

const hour = 3_600_000;

/** Makes random changes of objects, and random faults of server and network. */
class Weather {
  readonly #cluster: Cluster;
  readonly #random: () => number;
  #names = 0;
  #objects: string[] = [];

  constructor(cluster: Cluster, seed: number) {
    this.#cluster = cluster;
    this.#random = seededRandom(seed);
  }

  upTo(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  async change(): Promise<void> {
    const name = this.#objects[this.upTo(this.#objects.length)];
    const kind = this.upTo(4);
    if (name === undefined || kind < 1) {
      const created = `object-${this.#names++}`;
      this.#objects.push(created);
      await this.#cluster.create(created, { data: { text: "ä".repeat(this.upTo(200)) } });
    } else if (kind === 1) {
      this.#objects = this.#objects.filter((other) => other !== name);
      await this.#cluster.delete(name);
    } else {
      await this.#cluster.update(name, { data: { text: `${this.#random()}` } });
    }
  }

  fault(): void {
    const { control } = this.#cluster.api;
    const [watch] = control.watches.list();
    const code = [401, 403, 404, 410, 429, 500, 503, 504][this.upTo(8)] ?? 500;
    const verb = this.#random() < 0.5 ? "list" : "watch";
    const events = this.upTo(5);
    const faults: readonly (() => void)[] = [
      () => watch?.end(),
      () => watch?.reset(),
      () => watch?.stall(),
      () => watch?.truncate({ inside: this.#random() < 0.5 ? "line" : "character" }),
      () => watch?.split({ bytes: 1 + this.upTo(7) }),
      () => watch?.sendError({ code }),
      () => control.compact(),
      () => control.restart({ unreadyMs: this.upTo(20_000) }),
      () => control.unready("*", this.upTo(30_000)),
      () => control.expireMidList(),
      () => {
        control.watchList =
          (["supported", "refused", "ignored"] as const)[this.upTo(3)] ?? "supported";
      },
      () => control.bookmarks.set({ suppress: this.#random() < 0.3 }),
      () => control.bookmarks.set({ initialEnd: this.#random() < 0.3 ? "never" : "sent" }),
      () => control.bookmarks.set({ initialEnd: "never", everyMs: 1000 }),
      () => {
        const status = { code, ...(code === 429 ? { retryAfterSeconds: this.upTo(20) } : {}) };
        control.faults.add({
          match: { verb },
          action: { type: "status", status },
          times: 1 + this.upTo(4),
        });
      },
      () => control.faults.add({ match: { verb }, action: { type: "reset" } }),
      () => control.faults.add({ match: { verb }, action: { type: "blackhole" } }),
      () => control.faults.add({ match: { verb }, action: { type: "latency", ms: [0, 60_000] } }),
      () => control.faults.add({ match: { verb }, action: { type: "stall", after: { events } } }),
      () =>
        control.faults.add({ match: { verb }, action: { type: "resetBody", after: { events } } }),
      () => {
        control.faults.add({
          match: { verb },
          action: { type: "respond", status: 502, body: "<html>" },
        });
      },
    ];
    faults[this.upTo(faults.length)]?.();
  }

  /** Removes all faults. */
  clear(): void {
    const { control } = this.#cluster.api;
    control.faults.clear();
    control.watchList = "supported";
    control.bookmarks.set({});
  }
}

/** Gives deletions the last version of their object, as watches of some other servers do. */
function withLastVersions(source: ListerWatcher<ConfigMap>): ListerWatcher<ConfigMap> {
  const versions = new Map<string, string | undefined>();
  const revise = (event: WatchEvent<ConfigMap>): WatchEvent<ConfigMap> => {
    if (event.type === "ERROR" || event.type === "BOOKMARK") return event;
    const { metadata } = event.object;
    const last = versions.get(metadata.name);
    versions.set(metadata.name, metadata.resourceVersion);
    if (event.type !== "DELETED" || last === undefined) return event;
    const object = { ...event.object, metadata: { ...metadata, resourceVersion: last } };
    return { type: "DELETED", object };
  };
  return {
    list: (options, context) => source.list(options, context),
    watch: async (options, context) => {
      const events = await source.watch(options, context);
      return (async function* () {
        for await (const batch of events) yield [batch].flat().map(revise);
      })();
    },
  };
}

describe("ten hours of random faults", () => {
  test.each([1, 2, 3, 4])(
    "end with the store equal to the server (seed %i)",
    async (seed) => {
      const cluster = new Cluster(seed);
      const weather = new Weather(cluster, seed);
      const store = new WatchfulStore();
      const { reflector, errors, stop } = await start(
        cluster.clock,
        withLastVersions(cluster.source()),
        {
          store,
          list: { pageSize: seed % 2 === 0 ? 3 : 0 },
          random: seededRandom(seed),
        },
      );
      for (let elapsed = 0; elapsed < 10 * hour;) {
        const step = weather.upTo(60_000);
        await cluster.clock.advance(step);
        elapsed += step;
        if (weather.upTo(3) > 0) await weather.change();
        else weather.fault();
      }
      weather.clear();
      await cluster.clock.advance(hour / 2);
      expect(store.state()).toEqual(await cluster.state());
      expect(reflector.status()).toMatchObject({ phase: "watching", attempts: 0 });
      expect(store.backInTime).toEqual([]);
      expect(errors.length).toBeGreaterThan(50);
      expect(mostWithin(cluster.firstPageTimes(), 10_000)).toBeLessThanOrEqual(8);
      await stop();
      expect(cluster.clock.pendingTimers).toBe(0);
    },
    60_000,
  );
});
