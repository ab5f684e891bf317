import { createClient, createConnection, type Client } from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { compareResourceVersions, silentLog, type Cached } from "@listwatch/core-fifo";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { InformerView, SharedInformerFactory, type NotedWrite } from "@listwatch/shared-informer";
import { Cluster, configMaps, server, type ConfigMap } from "./cluster.ts";
import { changeWatches } from "./own-writes-story.ts";
import { faultyFetch, type StoryRun } from "./plan.ts";

/**
 * How the view notes writes. All but `whole` have a bug: a create, or the removal of the last
 * finalizer, is not noted; a write that leaves the selector is not waited for; a note lasts until
 * all informers of the view have reached its version.
 */
export type Noting = "creates" | "finalizers" | "leaving" | "slowest" | "whole";

/** Number of disturbances. */
export const viewDisturbances = 20;

type Key = `${string}/${string}`;
const keys: readonly Key[] = ["default/a", "default/b", "other/c"];
const selected = { app: "web" };
const finalizer = "example.com/f";

/** The last write of a key's reconcile: a state, or the end of an object in the view. */
interface Written {
  readonly uid: string;
  /** `undefined` after the removal of the last finalizer. */
  readonly version: string | undefined;
  readonly isIn: boolean;
}

/**
 * Three objects in a view over the informers of two namespaces, both with a selector. The reconcile
 * of each one creates a child with a finalizer, takes it out of the selector and back, changes both
 * objects at one time, deletes the child, removes its finalizer, and creates objects with generated
 * names, while watches stall and break and others change the same objects.
 */
export class OwnWritesViewStory {
  readonly #problems: string[] = [];
  readonly #cluster: Cluster;
  readonly #run: StoryRun;
  readonly #noting: Noting;
  #random: () => number;
  readonly #written = new Map<string, Written>();
  readonly #seen = new Map<string, string | undefined>();

  constructor(run: StoryRun, noting: Noting) {
    this.#run = run;
    this.#noting = noting;
    this.#cluster = new Cluster(run.seed);
    run.follow(this.#cluster.clock);
    this.#random = run.randomOf(0);
  }

  async run(): Promise<readonly string[]> {
    const { api, clock } = this.#cluster;
    const stop = new AbortController();
    const fetch = faultyFetch(this.#run, { api, who: "controller", ratesOf: () => ({}) });
    const connection = createConnection({ server, fetch });
    const random = seededRandom(this.#run.seed);
    const factory = new SharedInformerFactory({
      connection,
      clock,
      log: silentLog,
      informers: { random },
    });
    for (const key of keys) await this.#cluster.create(key, { labels: selected });
    const options = { labelSelector: "app=web" };
    const informers = ["default", "other"].map((namespace) =>
      factory.informer(configMaps, { namespace, ...options }),
    );
    const view: InformerView<ConfigMap> = new InformerView(informers, {
      clock,
    });
    this.#breakNotes(view);
    const controller: Controller<ConfigMap> = new Controller<ConfigMap>({
      clock,
      client: createClient(connection, { clock, random }),
      ...({ informer: view } as object),
      telemetry: { log: silentLog },
      onError: () => {},
      reconcile: async (key, { client }) => {
        const owner = keys.find((one) => one === key);
        if (owner !== undefined) await this.#reconcile(owner, client, view);
      },
    });
    factory.start(stop.signal);
    void view.run(stop.signal);
    const ended = controller.run(stop.signal);
    for (const step of this.#run.steps) {
      this.#random = this.#run.randomOf(step);
      await clock.advance(Math.floor(this.#random() * 400));
      controller.queue.add(await this.#disturb((what) => this.#run.tell(step, what)));
    }
    for (const watch of api.control.watches.list()) watch.resume();
    // A namespace without changes must not delay the other one.
    for (let change = 0; change < 3; change++) {
      await clock.advance(5000);
      await this.#cluster.update("default/a", { data: { foreign: `last ${change}` } });
    }
    await clock.advance(5000);
    if (this.#seen.get("default/a") !== "last 2") {
      this.#problems.push("default/a: a foreign change was not seen");
    }
    stop.abort();
    await clock.advance(1000);
    await ended;
    return this.#problems;
  }

  async #reconcile(key: Key, client: Client, view: InformerView<ConfigMap>): Promise<void> {
    const maps = client.resource(configMaps);
    const child: Key = `${key}-child`;
    const listed = view.lister.list();
    for (const [name, written] of this.#written) {
      if (!name.startsWith(key)) continue;
      const shown = listed.find(
        ({ metadata }) => `${metadata.namespace}/${metadata.name}` === name,
      );
      this.#check("list", name, written, shown);
    }
    const read = (name: string): Cached<ConfigMap> | undefined => {
      const object = view.store.getByKey(name);
      this.#check("read", name, this.#written.get(name), object);
      return object;
    };
    this.#seen.set(key, read(key)?.data?.["foreign"]);
    const present = read(child);
    const turn = this.#random();
    if (present === undefined) {
      const [namespace = "", name = ""] = child.split("/");
      const metadata = { namespace, name, labels: selected, finalizers: [finalizer] };
      const options = { fieldManager: "story", force: true };
      this.#note(child, await maps.apply({ metadata }, options), true);
    } else if (present.metadata.deletionTimestamp !== undefined) {
      this.#note(child, await maps.patch(child, { metadata: { finalizers: null } }), "gone");
    } else if (turn < 0.25) {
      this.#note(child, await maps.patch(child, { metadata: { labels: { app: null } } }), false);
    } else if (turn < 0.5) {
      await maps.delete(child);
    } else if (turn < 0.75) {
      const data = { n: String(turn) };
      const answers = [maps.patch(key, { data }), maps.patch(child, { data })] as const;
      const [own, other] = await Promise.all(answers);
      this.#note(key, own, true);
      this.#note(child, other, true);
    } else {
      const metadata = { generateName: `${key.slice(-1)}-`, labels: selected };
      const namespace = key.split("/")[0] ?? "";
      const made = await maps.create({ metadata: { ...metadata, namespace } });
      this.#note(`${namespace}/${made.metadata.name}`, made, true);
      read(`${namespace}/${made.metadata.name}`);
    }
    for (const name of [key, child]) read(name);
  }

  #note(key: string, { metadata }: ConfigMap, to: boolean | "gone"): void {
    const version = to === "gone" ? undefined : metadata.resourceVersion;
    this.#written.set(key, { uid: metadata.uid ?? "", version, isIn: to === true });
  }

  /** Compares what the view shows with what was written. No other program removes an object. */
  #check(
    how: string,
    key: string,
    written: Written | undefined,
    object: Cached<ConfigMap> | undefined,
  ): void {
    if (written === undefined) return;
    const { resourceVersion = "", uid } = object?.metadata ?? {};
    const { version } = written;
    const isOld =
      version === undefined || object === undefined
        ? uid === written.uid
        : compareResourceVersions(resourceVersion, version) < 0;
    if (isOld) this.#problems.push(`${how} ${key}: ${resourceVersion} after a write`);
    if (object === undefined && written.isIn) this.#problems.push(`${how} ${key}: is not there`);
  }

  async #disturb(tell: (what: string) => void): Promise<Key> {
    const key = keys[Math.floor(this.#random() * keys.length)] ?? "default/a";
    const { api, configMaps: maps } = this.#cluster;
    const choice = Math.floor(this.#random() * 8);
    if (choice < 3) changeWatches(api, "stall", tell);
    else if (choice < 5) changeWatches(api, "resume", tell);
    else if (choice === 5) changeWatches(api, "reset", tell);
    else if (choice === 6) {
      tell(`another program deletes ${key}-child`);
      await maps.delete(`${key}-child`).catch(() => {});
    } else {
      tell(`another program changes ${key}`);
      await maps.patch(key, { data: { foreign: String(this.#random()) } });
    }
    return key;
  }

  #breakNotes(view: InformerView<ConfigMap>): void {
    const noting = this.#noting;
    const whole = view.noteWrite.bind(view);
    view.noteWrite = (write, writer): NotedWrite | undefined => {
      const { metadata } = write.answer as ConfigMap;
      const { deletionTimestamp, finalizers, labels, resourceVersion = "" } = metadata;
      const isLast = deletionTimestamp !== undefined && finalizers === undefined;
      const isNew = !view.store.has(`${metadata.namespace}/${metadata.name}`);
      if (noting === "creates" && isNew) return undefined;
      if (noting === "finalizers" && isLast) return undefined;
      const note = whole(write, writer);
      if (noting === "leaving" && labels === undefined) return undefined;
      if (noting !== "slowest" || note === undefined) return note;
      // The end of the story ends the wait.
      const reached = view.waitForResourceVersion(resourceVersion).catch(() => {});
      return { isOver: false, over: reached.then(() => note.over) };
    };
  }
}
