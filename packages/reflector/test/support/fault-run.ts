import type { ActiveFault } from "@listwatch/fake-apiserver";
import type { FetchFunction } from "@listwatch/client";
import { Cluster } from "./cluster.ts";
import { start } from "./running.ts";
import type { Fault } from "./fault-catalogue.ts";
import { initialObjects, type Position, type Provocation } from "./fault-positions.ts";
import { mostWithin, WatchfulStore } from "./watchful-store.ts";

/**
 * Connects a reflector to the cluster and advances time. It gets the visible activity, to find out
 * when nothing is in flight any more.
 */
export interface Transport {
  readonly server: string;
  readonly fetch: FetchFunction;
  readonly advance: (ms: number) => Promise<void>;
}

/** Result of one cell of the matrix. */
export interface Outcome {
  readonly struck: boolean;
  readonly store: Readonly<Record<string, string>>;
  readonly cluster: Readonly<Record<string, string>>;
  /** Keys of objects that went back in time. */
  readonly backInTime: readonly string[];
  /** Most lists (first pages), and most watches, within ten seconds. */
  readonly mostLists: number;
  readonly mostWatches: number;
  /** Distinct recoveries of the reported failures, in order of their first occurrence. */
  readonly recoveries: readonly string[];
  /** Resources left after the end of the run. */
  readonly requestsAfterStop: number;
  readonly openWatches: number;
  readonly pendingTimers: number;
}

/** Number of requests that a rule strikes: the retry is struck too. */
const strikes = 2;
const churnSeconds = 20;

/** A refusal doubles the lists of an attempt. Attempts follow after 0.8, 1.6, 3.2 and 6.4 s. */
const mostLists = 8;
/** Ten without a delay, and those after a delay. */
const mostWatches = 14;

/** Returns the violated expectations of a cell. */
export function complaints(outcome: Outcome, fault: Fault): string[] {
  const { store, cluster, backInTime } = outcome;
  const problems: readonly (readonly [boolean, string])[] = [
    [!outcome.struck, "the fault never struck"],
    [
      !isSameState(store, cluster),
      `the store has ${JSON.stringify(store)}, the server ${JSON.stringify(cluster)}`,
    ],
    [
      backInTime.length > 0 && fault.backInTime !== true,
      `objects went back in time: ${backInTime.join(", ")}`,
    ],
    [outcome.mostLists > mostLists, `${outcome.mostLists} lists in ten seconds`],
    [outcome.mostWatches > mostWatches, `${outcome.mostWatches} watches in ten seconds`],
    [outcome.requestsAfterStop > 0, `${outcome.requestsAfterStop} requests after the end`],
    [outcome.openWatches > 0, `${outcome.openWatches} watches open after the end`],
    [outcome.pendingTimers > 0, `${outcome.pendingTimers} timers after the end`],
  ];
  return problems.filter(([isOne]) => isOne).map(([, text]) => text);
}

function isSameState(a: Outcome["store"], b: Outcome["store"]): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Strikes at a position, changes the collection before, meanwhile and after, and reports. */
export async function runCell(
  fault: Fault,
  position: Position,
  connect: (cluster: Cluster, activity: () => string) => Transport | Promise<Transport>,
): Promise<Outcome> {
  const cluster = new Cluster();
  for (let index = 0; index < initialObjects; index++) {
    await cluster.create(`object-${index}`, { data: { text: "käse" } });
  }
  const strike = new Strike(fault, position, cluster);
  const provoke = new Provoker(position.provocation, cluster);
  const store = new WatchfulStore();
  const { recorder, watches } = cluster.api.control;
  const transport = await connect(cluster, () =>
    [store.calls.length, recorder.count, ...watches.list().map(({ bytes }) => bytes)].join(),
  );
  const source = cluster.source(
    { watchListSupported: position.watchList },
    {
      server: transport.server,
      fetch: async (request) => {
        await strike.onRequest(request);
        return provoke.answer(request) ?? transport.fetch(request);
      },
    },
  );
  const { errors, stop } = await start(cluster.clock, source, {
    store,
    list: { pageSize: position.pageSize },
  });
  for (let second = 0; second < churnSeconds; second++) {
    await transport.advance(1000);
    await change(cluster, second);
    if (second === 4) provoke.begin();
    if (second === 7) await strike.onStream();
  }
  strike.repair();
  // Long enough for two consecutive silent connections, and for the longest delay.
  for (let step = 0; step < 12; step++) await transport.advance(25_000);
  // Simulated time does not wait for sockets, so a busy machine may need more of it.
  const expected = await cluster.state();
  for (let more = 0; more < 100 && !isSameState(store.state(), expected); more++) {
    await transport.advance(5000);
  }
  const outcome = {
    struck: strike.hasStruck,
    store: store.state(),
    cluster: expected,
    backInTime: store.backInTime,
    mostLists: mostWithin(cluster.firstPageTimes(), 10_000),
    mostWatches: mostWithin(cluster.requestTimes("watch"), 10_000),
    recoveries: errors
      // The first recovery of a relist was provoked.
      .slice(position.provocation === undefined ? 0 : 1)
      .map(({ recovery }) => recovery)
      .filter((recovery, index, all) => all.indexOf(recovery) === index),
  };
  await stop();
  // Lets a request in flight arrive.
  await transport.advance(0);
  const before = cluster.requests().length;
  await transport.advance(600_000);
  return {
    ...outcome,
    requestsAfterStop: cluster.requests().length - before,
    openWatches: cluster.api.control.watches.list().filter(({ open }) => open).length,
    pendingTimers: cluster.clock.pendingTimers,
  };
}

class Strike {
  readonly #fault: Fault;
  readonly #position: Position;
  readonly #cluster: Cluster;
  readonly #rule: ActiveFault | undefined;
  readonly #atBeginning;
  #seen = 0;
  #acted = false;

  constructor(fault: Fault, position: Position, cluster: Cluster) {
    this.#fault = fault;
    this.#position = position;
    this.#cluster = cluster;
    this.#atBeginning = cluster.api.control.snapshot();
    if (fault.action === undefined) return;
    const { faults } = cluster.api.control;
    const rule = {
      match: { ...position.match, headers: { "x-by": "source" } },
      when: { skip: position.skip },
      times: strikes,
    };
    this.#rule = faults.add({ ...rule, name: fault.name, action: fault.action(position) });
    // The server sends a list as one chunk. Without the split, a fault in the middle would strike
    // after its end.
    if (position.match.verb === "list") {
      faults.add({ ...rule, action: { type: "split", shape: { bytes: 32 } } });
    }
  }

  get hasStruck(): boolean {
    return this.#rule === undefined ? this.#acted : this.#rule.fired > 0;
  }

  /** Acts on the server just before the position's request arrives there. */
  async onRequest(request: Request): Promise<void> {
    const { at, match, skip } = this.#position;
    if (at !== "request" || this.#acted) return;
    const query = new URL(request.url).searchParams;
    const isWatch = query.get("watch") === "true";
    if (isWatch !== (match.verb === "watch")) return;
    if (match.query !== undefined && !query.has("sendInitialEvents")) return;
    this.#seen++;
    if (this.#seen > skip) await this.#act();
  }

  /** Acts on the server while the position's stream is open. */
  async onStream(): Promise<void> {
    if (this.#position.at === "stream") await this.#act();
  }

  /** Repairs permanent faults. */
  repair(): void {
    const { control } = this.#cluster.api;
    control.start();
    control.frontEnds.at(1).catchUp();
  }

  async #act(): Promise<void> {
    if (this.#acted || this.#fault.act === undefined) return;
    this.#acted = true;
    await this.#fault.act(this.#cluster, this.#atBeginning);
  }
}

class Provoker {
  readonly #provocation: Provocation | undefined;
  readonly #cluster: Cluster;
  #left = 0;

  constructor(provocation: Provocation | undefined, cluster: Cluster) {
    this.#provocation = provocation;
    this.#cluster = cluster;
  }

  begin(): void {
    if (this.#provocation === undefined) return;
    this.#left = this.#provocation.watches;
    this.#cluster.api.control.watches.end();
  }

  /** Returns a response that replaces the server's. */
  answer(request: Request): Response | undefined {
    const query = new URL(request.url).searchParams;
    const isWatch = query.get("watch") === "true" && !query.has("sendInitialEvents");
    if (!isWatch || this.#left === 0) return undefined;
    this.#left -= 1;
    return this.#provocation?.answer(this.#cluster.clock);
  }
}

/** Makes a write; a server that is down refuses it. */
async function change(cluster: Cluster, second: number): Promise<void> {
  const write = [
    () => cluster.update("object-1", { data: { text: `ä${second}` } }),
    () => cluster.create(`new-${second}`, { data: { text: "ß" } }),
    () => cluster.delete("object-2"),
    () => cluster.create("object-2", { data: { text: `again ${second}` } }),
    () => cluster.update("object-3", { data: { text: "€".repeat(second) } }),
  ][second % 5];
  await write?.().catch(() => undefined);
}
