import { createClient, createConnection } from "@listwatch/client";
import { LeaderElector } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { MachineClock } from "./candidates.ts";
import { server, type Cluster } from "./cluster.ts";
import { faultyFetch, StoryRun, type Rates, type ServerFault } from "./plan.ts";

const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };

interface Lease {
  readonly metadata: { readonly namespace?: string; readonly name: string };
  readonly spec?: { readonly holderIdentity?: string };
}

/** A third of client-go's 15 / 10 / 2 s, so that more faults fit into a second. */
export const times = { leaseDurationMs: 5000, renewDeadlineMs: 3300, retryPeriodMs: 700 };
/** Others wait 5 / 3.3 times as long as a leader leads, so clock speeds may differ by 1.5. */
const maxRate = 1.2;
/** Longest sleep of a machine. */
export const maxSleepMs = 6000;
/** Longest takeover: a lease that was just renewed, observed one retry late, plus one retry. */
export const takeoverMs: number = times.leaseDurationMs + 2 * times.retryPeriodMs * 2.2;

interface Machine {
  readonly clock: MachineClock;
  readonly stop: AbortController;
  readonly elector: LeaderElector;
  /** Whether it does work that only a leader may do. */
  isWorking: boolean;
  ended: Promise<unknown>;
  hasEnded: boolean;
}

/** Three machines and a lease, with faults from a seed. */
export class Election {
  readonly seed: number;
  /** Number of terms that began. */
  terms = 0;
  /** Number of times that the lease was deleted. */
  deletions = 0;
  readonly #cluster: Cluster;
  readonly #random: () => number;
  readonly #machines: Machine[];
  readonly #run: StoryRun;
  #rates: Rates<ServerFault> = {};
  /** The connections of the machines, which outlive a restart. */
  readonly #sends: readonly ((request: Request) => Promise<Response>)[];

  constructor(cluster: Cluster, seed: number) {
    this.#cluster = cluster;
    this.seed = seed;
    this.#random = seededRandom(seed);
    this.#run = new StoryRun({ seed, steps: [], faults: undefined });
    this.#run.follow(cluster.clock);
    this.#sends = [0, 1, 2].map((index) =>
      faultyFetch(this.#run, {
        api: cluster.api,
        who: `machine-${index} of ${seed}`,
        ratesOf: () => this.#rates,
      }),
    );
    this.#machines = [0, 1, 2].map((index) => this.#machine(index));
    const upTo = (share: number): number => this.#random() * share;
    this.#rates = {
      slow: upTo(0.3),
      reset: upTo(0.2),
      "lost-answer": upTo(0.2),
      silence: upTo(0.2),
    };
  }

  /** The requests of the machines and their faults, a line each. */
  get timeline(): string {
    return this.#run.timeline;
  }

  /** Number of electors that consider themselves leader. */
  get leading(): number {
    return this.#machines.filter(({ elector }) => elector.isLeader).length;
  }

  /** Number of machines that do a leader's work; a sleeping machine does none. */
  get working(): number {
    return this.#machines.filter(({ clock, isWorking }) => isWorking && !clock.isDrowsy).length;
  }

  /**
   * Lets a machine sleep, stops its process or deletes the lease, at random; restarts ended
   * machines. A candidate that knows no leader takes a missing lease at once, so that none starts
   * without a lease, and only one whose holder all know is deleted.
   */
  async disturb(): Promise<void> {
    const holder = await this.#holder();
    if (holder !== undefined) this.revive();
    if (this.#random() < 0.5) return;
    if (this.#random() < 0.3) {
      if (holder === undefined || holder === "") return;
      if (this.#machines.some(({ elector }) => elector.leader !== holder)) return;
      this.deletions += 1;
      await this.#cluster.client.resource<Lease>(leases).delete(`default/election-${this.seed}`);
      return;
    }
    const machine = this.#machines[Math.floor(this.#random() * this.#machines.length)];
    if (this.#random() < 0.6) machine?.clock.sleep(this.#random() * maxSleepMs);
    else machine?.stop.abort();
  }

  /** The holder according to the server; `undefined` without a lease. */
  async #holder(): Promise<string | undefined> {
    const all = await this.#cluster.client.resource<Lease>(leases).list();
    const lease = all.items.find(({ metadata }) => metadata.name === `election-${this.seed}`);
    return lease && (lease.spec?.holderIdentity ?? "");
  }

  /** Stops all faults of requests. */
  calm(): void {
    this.#run.faults.end();
  }

  /** Restarts ended electors, like a kubelet. */
  revive(): void {
    for (const [index, { hasEnded }] of this.#machines.entries()) {
      if (hasEnded) this.#machines[index] = this.#machine(index);
    }
  }

  stop(): void {
    for (const { stop } of this.#machines) stop.abort();
  }

  get ended(): Promise<unknown> {
    return Promise.all(this.#machines.map(({ ended }) => ended));
  }

  #machine(index: number): Machine {
    const clock = new MachineClock(this.#cluster.clock, {
      offsetMs: (this.#random() - 0.5) * 7_200_000,
      rate: 1 + this.#random() * (maxRate - 1),
    });
    const fetch = async (request: Request): Promise<Response> => {
      try {
        return await (this.#sends[index] ?? this.#cluster.api.fetch)(request);
      } finally {
        await clock.awake();
      }
    };
    const connection = createConnection({ server, fetch });
    const elector = new LeaderElector({
      client: createClient(connection),
      lease: { namespace: "default", name: `election-${this.seed}` },
      identity: `machine-${index}-${Math.floor(this.#random() * 1e9)}`,
      clock,
      random: this.#random,
      limits: times,
      telemetry: { log: silentLog },
      onStartedLeading: ({ lost }) => {
        this.terms += 1;
        machine.isWorking = !lost.aborted;
        lost.addEventListener("abort", () => (machine.isWorking = false), { once: true });
      },
    });
    const machine: Machine = {
      clock,
      stop: new AbortController(),
      elector,
      isWorking: false,
      ended: Promise.resolve(),
      hasEnded: false,
    };
    // A lost leadership also ends the run.
    machine.ended = elector
      .run(machine.stop.signal)
      .catch(() => {})
      .finally(() => (machine.hasEnded = true));
    return machine;
  }
}
