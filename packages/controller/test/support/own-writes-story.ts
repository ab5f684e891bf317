import { createClient, createConnection, type Client } from "@listwatch/client";
import { Controller, type ControllerOptions } from "@listwatch/controller";
import { compareResourceVersions, silentLog, type Cached } from "@listwatch/core-fifo";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import type { FakeApiServer } from "@listwatch/fake-apiserver";
import { MutationCache } from "@listwatch/store-indexer";
import { Cluster, configMap, configMaps, server, type ConfigMap } from "./cluster.ts";
import { faultyFetch, type StoryRun } from "./plan.ts";

/**
 * How a story reads its own writes, and whether it ignores their events. All but `notes` and
 * `ignoring` have a bug: `sameVersion` ignores each event with the version of an own write, and
 * `createsUnseen` shows no created object before the watch does.
 */
export type Reading =
  | "createsUnseen"
  | "ignoring"
  | "mutationCache"
  | "none"
  | "notes"
  | "sameVersion";

/** Changes of all watches, as a story tells them. */
const watchChanges = {
  stall: "watches show nothing new",
  resume: "watches continue",
  reset: "watches break",
} as const;

/** Changes all watches of a server, and tells what happens. */
export function changeWatches(
  { control }: FakeApiServer,
  how: keyof typeof watchChanges,
  tell: (what: string) => void,
): void {
  tell(watchChanges[how]);
  for (const watch of control.watches.list()) watch[how]();
}

/** Number of disturbances. */
export const disturbances = 30;

type Key = `${string}/${string}`;
const keys: readonly Key[] = ["default/a", "default/b", "default/c"];

/** The last write of a key's reconcile to an object. */
interface Written {
  readonly uid: string;
  /** `undefined` after a deletion. */
  readonly version: string | undefined;
}

/**
 * Three objects, each with a child that the reconcile creates, updates and deletes, while watches
 * break, caches lag, others change the same objects, and the server forgets versions, restarts or
 * is restored. A story that ignores own events also writes the three objects, with and without a
 * precondition, and without a change; then only events start reconciles.
 */
export class OwnWritesStory {
  /** Descriptions of reads that are older than a write, and of changes that no reconcile saw. */
  readonly problems: string[] = [];
  readonly #cluster: Cluster;
  readonly #run: StoryRun;
  /** Draws of the current disturbance, which depend on no other one. */
  #random: () => number;
  readonly #reading: Reading;
  readonly #stop = new AbortController();
  readonly #written = new Map<string, Written>();
  /**
   * Whether the storage was restored. A cache that does not know it yet takes later writes for old
   * ones.
   */
  #hasRestored = false;
  /** Uids of objects that others have deleted, or are about to. */
  readonly #gone = new Set<string>();
  readonly #seen = new Map<string, string | undefined>();
  /** Versions that its writes had. */
  readonly #versions = new Set<string | undefined>();
  readonly #isIgnoring: boolean;
  #snapshot: ReturnType<Cluster["api"]["control"]["snapshot"]> | undefined;

  constructor(run: StoryRun, reading: Reading) {
    this.#run = run;
    this.#cluster = new Cluster(run.seed);
    run.follow(this.#cluster.clock);
    this.#random = seededRandom(run.seed);
    this.#reading = reading;
    this.#isIgnoring = reading === "ignoring" || reading === "sameVersion";
  }

  /** Runs the disturbances of the story; returns the problems. */
  async run(): Promise<readonly string[]> {
    const { api, clock } = this.#cluster;
    // Lost answers would hide from a reconcile what it wrote, so no request has a fault.
    const fetch = faultyFetch(this.#run, { api, who: "controller", ratesOf: () => ({}) });
    const connection = createConnection({ server, fetch });
    const random = seededRandom(this.#run.seed);
    const own = createClient(connection, { clock, random });
    const informers = { random };
    const factory = new SharedInformerFactory({ connection, clock, log: silentLog, informers });
    const informer = factory.informer(configMaps);
    const overlay = new MutationCache<ConfigMap>(informer.store, { clock, includeAdds: true });
    for (const key of keys) await this.#cluster.configMaps.create(configMap(key));
    const { control } = this.#cluster.api;
    this.#snapshot = control.snapshot();
    const cache = this.#reading === "mutationCache" ? overlay : informer.store;
    const read = (key: string): Cached<ConfigMap> | undefined => {
      const isRead = this.#reading !== "createsUnseen" || informer.store.listKeys().includes(key);
      return isRead ? cache.getByKey(key) : undefined;
    };
    const options: ControllerOptions<ConfigMap> = {
      clock,
      client: own,
      telemetry: { log: silentLog },
      onError: () => {},
      ignoreOwnEvents: this.#reading === "ignoring",
      reconcile: async (key, context) => {
        if (key.endsWith("-child")) return;
        const isNoted = this.#reading !== "none" && this.#reading !== "mutationCache";
        const client = isNoted ? context.client : own;
        await this.#reconcile(`default/${key.slice(8)}`, client, read, (object) => {
          if (this.#reading === "mutationCache") overlay.mutation(object);
        });
      },
    };
    const isForeign = ({ metadata }: Cached<ConfigMap>): boolean =>
      this.#reading !== "sameVersion" || !this.#versions.has(metadata.resourceVersion);
    const controller = new Controller(options).for(informer, {
      predicate: { update: (_, object) => isForeign(object) },
    });
    factory.start(this.#stop.signal);
    const ended = controller.run(this.#stop.signal);
    for (const step of this.#run.steps) {
      this.#random = this.#run.randomOf(step);
      await clock.advance(Math.floor(this.#random() * 400));
      await this.#disturb(controller, (what) => this.#run.tell(step, what));
    }
    for (const watch of this.#cluster.api.control.watches.list()) watch.resume();
    await clock.advance(100_000);
    await this.#checkSeen();
    this.#stop.abort();
    await clock.advance(1000);
    await ended;
    return this.problems;
  }

  async #reconcile(
    key: Key,
    client: Client,
    read: (key: string) => Cached<ConfigMap> | undefined,
    note: (object: ConfigMap) => void,
  ): Promise<void> {
    const maps = client.resource(configMaps);
    const child: Key = `${key}-child`;
    const [own, present] = [this.#check(key, read(key)), this.#check(child, read(child))];
    this.#seen.set(key, own?.data?.["foreign"]);
    const turn = this.#random();
    if (present === undefined && own !== undefined) {
      const answer = await maps.create(configMap(child, { data: { n: "0" } }));
      this.#store(child, answer);
      note(answer);
    } else if (present !== undefined && turn < 0.3) {
      await maps.delete(child, { uid: present.metadata.uid });
      this.#written.set(child, { uid: present.metadata.uid ?? "", version: undefined });
    } else if (present !== undefined && turn < 0.6) {
      const answer = await maps.patch(child, { data: { n: String(turn) } });
      this.#store(child, answer);
      note(answer);
    }
    if (this.#isIgnoring && own !== undefined) await this.#change(key, own, client);
    // In the same reconcile.
    for (const name of [key, child]) this.#check(name, read(name));
  }

  /** Writes the object of the key: with or without a precondition, or without a change. */
  async #change(key: Key, own: Cached<ConfigMap>, client: Client): Promise<void> {
    const maps = client.resource(configMaps);
    const turn = this.#random();
    if (turn > 0.6) return;
    const { resourceVersion } = own.metadata;
    const n = turn < 0.15 ? (own.data?.["n"] ?? "") : String(turn);
    const metadata = turn < 0.3 ? { resourceVersion } : {};
    this.#store(key, await maps.patch(key, { metadata, data: { n } }));
  }

  /** Compares what a read shows with what was written. */
  #check(key: string, object: Cached<ConfigMap> | undefined): Cached<ConfigMap> | undefined {
    const written = this.#written.get(key);
    if (written === undefined) return object;
    if (object === undefined) {
      const isThere = written.version !== undefined && !this.#gone.has(written.uid);
      if (isThere && !this.#hasRestored) this.problems.push(`${key} reads as absent after a write`);
      return object;
    }
    const { resourceVersion = "", uid = "" } = object.metadata;
    const isOld =
      written.version === undefined
        ? uid === written.uid
        : compareResourceVersions(resourceVersion, written.version) < 0;
    if (isOld) this.problems.push(`${key} reads as ${resourceVersion} after a write`);
    return object;
  }

  #store(key: string, { metadata }: ConfigMap): void {
    this.#versions.add(metadata.resourceVersion);
    this.#written.set(key, { uid: metadata.uid ?? "", version: metadata.resourceVersion });
  }

  async #disturb(
    controller: { readonly queue: { add(key: string): void } },
    tell: (what: string) => void,
  ): Promise<void> {
    const { api } = this.#cluster;
    const key = keys[Math.floor(this.#random() * keys.length)] ?? "default/a";
    const maps = this.#cluster.configMaps;
    const choice = Math.floor(this.#random() * 11);
    if (choice < 2) changeWatches(api, "stall", tell);
    else if (choice < 4) changeWatches(api, "resume", tell);
    else if (choice === 4) changeWatches(api, "reset", tell);
    else if (choice === 5) {
      tell("the history is compacted, and watches break");
      api.control.compact();
      for (const watch of api.control.watches.list()) watch.reset();
    } else if (choice === 6) {
      tell(`another program deletes ${key}-child`);
      this.#gone.add(this.#written.get(`${key}-child`)?.uid ?? "");
      await maps.delete(`${key}-child`).catch(() => {});
    } else if (choice === 7) {
      tell(`another program changes ${key}-child`);
      await maps.patch(`${key}-child`, { data: { foreign: "1" } }).catch(() => {});
    } else if (choice === 8) {
      tell(`another program changes ${key}`);
      await maps.patch(key, { data: { foreign: String(this.#random()) } });
    } else if (choice === 9) {
      tell("the server restarts");
      api.control.restart();
    } else if (this.#random() < 0.3 && this.#snapshot !== undefined) {
      tell("the storage is restored");
      // The former history is over, and with it the writes that a reconcile has to see.
      api.control.restore(this.#snapshot, "rollback");
      this.#written.clear();
      this.#hasRestored = true;
      this.#snapshot = api.control.snapshot();
    } else {
      tell(`another program writes ${key} without a change`);
      await maps.patch(key, {});
    }
    if (!this.#isIgnoring) controller.queue.add(key);
  }

  async #checkSeen(): Promise<void> {
    for (const key of keys) {
      const { data } = await this.#cluster.configMaps.get(key);
      const seen = this.#seen.get(key);
      if (seen !== data?.["foreign"]) this.problems.push(`${key}: a foreign change was not seen`);
    }
  }
}
