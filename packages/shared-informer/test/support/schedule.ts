import { namespaceIndex } from "@listwatch/store-indexer";
import { silentLog, sleep, type Random } from "@listwatch/core-fifo";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { badnesses, checkCacheClaims, checkIndexClaims, UnreliableFunctions } from "./claims.ts";
import { Cluster, contentsOf } from "./cluster.ts";
import { History, type Connection } from "./history.ts";
import { drawInteger, evenRates, faultyFetch, readFaults, type StoryRun } from "./plan.ts";
import { repeatKeys } from "./repeating-source.ts";
import { webSelector, type CreateSubject, type Subject } from "./subject.ts";

/** Faults of the informers' requests: a story has some. */
const rates = evenRates(0.25, readFaults);

const keys = ["a/1", "a/2", "a/3", "b/1", "b/2", "b/3"];

/** A handler or reader, and the informer that it is connected to. */
interface Watched {
  readonly history: History;
  readonly on: "everything" | "web";
}

/** Returns the number of steps of a schedule: some before the informers run, the others after. */
export function countSteps(seed: number): number {
  return stepsBefore(seed) + drawInteger([8, 23], seed, "steps after the start");
}

function stepsBefore(seed: number): number {
  return drawInteger([3, 6], seed, "steps before the start");
}

/** A random schedule: writes, faults, and handlers that are added, removed, slow or failing. */
export class Schedule {
  readonly #run: StoryRun;
  readonly #cluster: Cluster;
  readonly #functions: UnreliableFunctions;
  readonly #subject: Subject;
  readonly #histories: Watched[] = [];
  readonly #present = new Set<string>();
  readonly #stop = new AbortController();
  readonly #complaints: string[] = [];
  #ended: Promise<void> | undefined;
  #handlers = 0;
  #isRestored = false;
  /** Draws of the current step, which depend on no other step. */
  #random: Random;

  constructor(run: StoryRun, createSubject: CreateSubject) {
    const { seed } = run;
    this.#run = run;
    this.#random = seededRandom(seed);
    this.#cluster = new Cluster(seed);
    run.follow(this.#cluster.clock);
    const { api, random } = this.#cluster;
    this.#functions = new UnreliableFunctions(random);
    api.control.watchList = this.#pick(["supported", "supported", "refused", "ignored"]);
    // In this order, so that each seed keeps its schedule.
    const resyncMs = this.#pick([0, 0, 0, 10_000]);
    const pageSize = this.#pick([0, 0, 2]);
    const detectRecreate = this.#chance(0.3);
    const watchList = this.#chance(0.7);
    // Without a transform relists reuse held objects.
    if (this.#chance(0.2)) api.control.bookmarks.set({ initialEnd: "never", everyMs: 1000 });
    const transform = this.#chance(0.4) ? this.#functions.transform : undefined;
    // Separate, so that the schedule is the same with and without repeated keys.
    const repetitions = seededRandom(seed);
    const isRepeated = (): boolean => repetitions() < 0.2;
    const sourceOf: Parameters<CreateSubject>[1] = (namespace) => {
      const who = `informer ${namespace ?? ""}`.trim();
      const fetch = faultyFetch(run, { api, who, ratesOf: () => rates });
      const source = this.#cluster.source({ namespace }, { fetch });
      return seed % 3 === 0 ? repeatKeys(source, isRepeated) : source;
    };
    const options = {
      clock: this.#cluster.clock,
      random: this.#cluster.random,
      resyncMs,
      telemetry: { log: silentLog },
      cache: { detectRecreate, transform },
      indexers: { ...namespaceIndex, kind: this.#functions.kind },
      list: { pageSize, watchList },
    };
    this.#subject = createSubject(options, sourceOf);
  }

  /** Runs the steps of the story; returns the problems. */
  async run(): Promise<readonly string[]> {
    const { seed, steps } = this.#run;
    for (let left = this.#below(4); left > 0; left--) await this.#write();
    if (this.#chance(0.7)) this.#addHandler();
    const before = stepsBefore(seed);
    for (const step of steps.filter((each) => each < before)) await this.#take(step);
    this.#ended = this.#subject.run(this.#stop.signal);
    for (const step of steps.filter((each) => each >= before)) {
      await this.#take(step);
      this.#look();
    }
    await this.#recover();
    await this.#checkClaims();
    await this.#repair();
    await this.#checkClaims();
    await this.#compare();
    await this.#end();
    for (const { complaints, name } of this.#histories.map(({ history }) => history)) {
      this.#complaints.push(...complaints.map((complaint) => `${name}: ${complaint}`));
    }
    return this.#complaints;
  }

  async #take(step: number): Promise<void> {
    const { clock, api } = this.#cluster;
    this.#random = this.#run.randomOf(step);
    const tell = (what: string): void => this.#run.tell(step, what);
    const dice = this.#below(18);
    if (dice < 7) {
      await this.#write(tell);
    } else if (dice < 9) {
      for (let left = 3 + this.#below(12); left > 0; left--) await this.#write(tell);
    } else if (dice < 12) {
      const ms = this.#pick([1, 50, 900, 5000, 40_000]);
      tell(`${ms} ms pass`);
      await clock.advance(ms);
    } else if (dice < 13) {
      tell("all watches end");
      api.control.watches.end();
    } else if (dice < 14) {
      tell("an outage: watches end, some writes, a compaction");
      await this.#outage();
    } else if (dice < 15) {
      tell("the storage is restored");
      await this.#restore();
    } else if (dice < 17) {
      tell("a handler is added");
      this.#addHandler();
    } else {
      tell("a handler is removed");
      await this.#removeHandler();
    }
    if (this.#chance(0.5)) await clock.settle();
  }

  /** Interrupts all watches and expires their history, so that a relist has to detect changes. */
  async #outage(): Promise<void> {
    const { api, clock } = this.#cluster;
    api.control.watches.end();
    api.control.faults.add({
      match: { resource: "configmaps", verb: "watch" },
      action: { type: "status", status: { code: 503 } },
      times: 2,
    });
    await clock.settle();
    for (let left = 1 + this.#below(6); left > 0; left--) await this.#write();
    api.control.compact();
  }

  /**
   * Restores the storage, and writes the same objects again as since then, or only some of them.
   * Versions are equal then or went back, and the objects are others.
   */
  async #restore(): Promise<void> {
    const { api, clock } = this.#cluster;
    const written = [...this.#present].slice(0, 1 + this.#below(3));
    const snapshot = api.control.snapshot();
    for (const key of written) await this.#update(key);
    if (this.#chance(0.8)) await clock.settle();
    api.control.restore(snapshot, "rollback");
    const again = this.#chance(0.7) ? written : written.slice(1);
    for (const key of again) await this.#update(key);
    this.#isRestored = true;
  }

  async #update(key: string): Promise<void> {
    const data = { n: String(this.#below(1_000_000)), bad: this.#pick(badnesses) };
    await this.#cluster.update(key, { data, labels: this.#labels() });
  }

  async #write(tell: (what: string) => void = () => {}): Promise<void> {
    const key = this.#pick(keys);
    if (!this.#present.has(key)) {
      tell(`create ${key}`);
      this.#present.add(key);
      await this.#cluster.create(key, { labels: this.#labels() });
    } else if (this.#chance(0.4)) {
      tell(`delete ${key}`);
      this.#present.delete(key);
      await this.#cluster.delete(key);
    } else {
      tell(`update ${key}`);
      await this.#update(key);
    }
  }

  #labels(): Record<string, string> {
    return { app: this.#pick(["web", "web", "db"]) };
  }

  #addHandler(): void {
    const { clock } = this.#cluster;
    const failing = this.#pick([0, 0, 0.3]);
    const longest = this.#pick([0, 0, 20, 3000]);
    const history = new History(`handler ${++this.#handlers}`, {
      initialListFirst: this.#subject.streamProbability === 0,
      delayMs: () => (longest === 0 || this.#chance(0.5) ? 0 : 1 + this.#below(longest)),
      fails: () => failing > 0 && this.#chance(failing),
      sleep: (ms) => sleep(ms, { clock }),
    });
    const on = this.#pick(["everything", "everything", "web"] as const);
    const informer = on === "web" ? this.#subject.web : this.#subject.everything;
    history.connection = this.#chance(this.#subject.streamProbability)
      ? this.#readStream(history, informer)
      : informer.addEventHandler(history.handler, {
          name: history.name,
          resyncMs: this.#pick([undefined, 0, 10_000]),
          maxBacklog: this.#pick([undefined, undefined, undefined, 3]),
        });
    this.#histories.push({ history, on });
  }

  #readStream(history: History, informer: Subject["everything"]): Connection {
    const leave = new AbortController();
    const stream = informer.events({
      overflow: this.#pick(["block", "coalesce", "resync"]),
      max: this.#pick([1, 3, 100]),
      signal: leave.signal,
    });
    const reading = (async () => {
      for await (const event of stream) await history.read(event);
    })();
    return {
      get backlog() {
        return stream.backlog;
      },
      remove: () => {
        leave.abort();
        return reading;
      },
    };
  }

  async #removeHandler(): Promise<void> {
    const watched = this.#histories.shift();
    if (watched === undefined) return;
    const { history } = watched;
    await this.#advanceUntil(history.connection?.remove(), 1000);
    const { calls } = history;
    await this.#cluster.clock.advance(5000);
    if (history.calls !== calls) this.#complaints.push(`${history.name}: called after its removal`);
    this.#complaints.push(...history.complaints);
  }

  /** Clears the faults and waits: silent connections are aborted after 90 s, delays reach 60 s. */
  async #recover(): Promise<void> {
    const { api } = this.#cluster;
    this.#run.faults.end();
    api.control.faults.clear();
    await this.#rest();
    if (!this.#isRestored) return;
    // A watch that was resumed without a list cannot see a restore.
    for (const watch of api.control.watches.list()) watch.sendError({ code: 410 });
    await this.#rest();
  }

  async #rest(): Promise<void> {
    for (let left = 20; left > 0; left--) {
      await this.#cluster.clock.advance(30_000);
      if (this.#isAtRest && !this.#hasBacklog && left < 17) return;
      // Streamed lists that are never marked are open for up to ten minutes.
      if (left === 11 && !this.#subject.sources.every(({ hasSynced }) => hasSynced))
        this.#complaints.push("not synced after five minutes");
    }
  }

  /** Whether a handler or reader has still to be told something. */
  get #hasBacklog(): boolean {
    return this.#histories.some(({ history }) => (history.connection?.backlog ?? 0) > 0);
  }

  /** Whether each informer is fresh, or only has objects for which a function throws. */
  get #isAtRest(): boolean {
    return this.#subject.sources.every(
      (one) =>
        one.isFresh({ withinMs: 70_000 }) || one.status().problem?.reason === "unusableObject",
    );
  }

  /** Checks the claims of status(): those about indexes always, those about the cache at rest. */
  async #checkClaims(): Promise<void> {
    const { everything, sources, web } = this.#subject;
    const state = await this.#cluster.contents();
    const webState = await this.#cluster.contents(webSelector);
    this.#look();
    this.#complaints.push(
      ...checkCacheClaims("everything", everything, state, sources),
      ...checkCacheClaims("web", web, webState, sources),
    );
  }

  /** Repairs all functions, and writes each object for which one has failed. */
  async #repair(): Promise<void> {
    const { everything, sources, web } = this.#subject;
    this.#functions.isReliable = true;
    const informers = [...sources, everything, web];
    const named = new Set(
      informers.flatMap((one) => [
        ...(one.status().problem?.keys ?? []),
        ...one.store.listIndexErrors().map(({ key }) => key),
      ]),
    );
    for (const key of named) {
      if (!this.#present.has(key)) this.#complaints.push(`${key} is named, and gone`);
      else await this.#cluster.update(key, { data: { n: "1", bad: "no" } });
    }
    await this.#cluster.clock.advance(60_000);
    // A handler that is slow and has a limit holds up the queue.
    for (let left = 20; left > 0 && this.#hasBacklog; left--) {
      await this.#cluster.clock.advance(10_000);
    }
    for (const { name, problem } of informers.map((one) => one.status())) {
      if (problem !== undefined) {
        this.#complaints.push(`${name}: ${String(problem.error)}, which is repaired`);
      }
    }
  }

  #look(): void {
    const { everything, web } = this.#subject;
    this.#complaints.push(
      ...checkIndexClaims("everything", everything),
      ...checkIndexClaims("web", web),
    );
    for (const { history, on } of this.#histories) {
      history.checkSynced();
      if (history.connection?.hasSynced === true && !this.#subject[on].hasSynced) {
        this.#complaints.push(`${history.name}: synced before the informer`);
      }
    }
  }

  async #compare(): Promise<void> {
    const { everything, web } = this.#subject;
    const server = {
      everything: await this.#cluster.contents(),
      web: await this.#cluster.contents(webSelector),
    };
    this.#expectSame("the cache", contentsOf(everything.store.list()), server.everything);
    this.#expectSame("the view", contentsOf(web.store.list()), server.web);
    for (const { history, on } of this.#histories) {
      this.#expectSame(history.name, history.known, server[on]);
      if (history.connection?.hasSynced === false) {
        this.#complaints.push(`${history.name}: never synced`);
      }
    }
  }

  #expectSame(
    what: string,
    got: Readonly<Record<string, string>>,
    server: Readonly<Record<string, string>>,
  ): void {
    const sorted = (state: Readonly<Record<string, string>>): string =>
      JSON.stringify(Object.entries(state).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    if (sorted(got) !== sorted(server)) {
      this.#complaints.push(`${what} is ${sorted(got)}, the server is ${sorted(server)}`);
    }
  }

  async #end(): Promise<void> {
    const { api, clock } = this.#cluster;
    if (this.#chance(0.5)) await this.#write();
    this.#stop.abort();
    if (!(await this.#advanceUntil(this.#ended, 10))) {
      this.#complaints.push("run did not end");
      return;
    }
    const calls = this.#histories.map(({ history }) => history.calls);
    await this.#cluster.create("after/stop");
    await clock.advance(600_000);
    this.#histories.forEach(({ history }, index) => {
      if (history.calls !== calls[index])
        this.#complaints.push(`${history.name}: called after stop`);
    });
    if (clock.pendingTimers > 0) this.#complaints.push(`${clock.pendingTimers} timers are left`);
    const watches = api.control.watches.list().length;
    if (watches > 0) this.#complaints.push(`${watches} watches are left`);
  }

  /** Advances second by second until the promise settles; returns whether it did in time. */
  async #advanceUntil(promise: Promise<void> | undefined, maxSeconds: number): Promise<boolean> {
    const progress = { isDone: false };
    void promise?.finally(() => (progress.isDone = true));
    await this.#cluster.clock.settle();
    for (let left = maxSeconds; left > 0 && !progress.isDone; left--) {
      await this.#cluster.clock.advance(1000);
    }
    return progress.isDone;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<E>(choices: readonly E[]): E {
    const choice = choices[this.#below(choices.length)];
    if (choice === undefined && choices.length === 0)
      throw new RangeError("Nothing to choose from");
    return choice as E;
  }
}
