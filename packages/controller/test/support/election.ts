import { createClient, createConnection } from "@listwatch/client";
import { LeaderElector } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { MachineClock } from "./candidates.ts";
import { server, type Cluster } from "./cluster.ts";

/**
 * One third of client-go's 15 / 10 / 2 s in the same proportions, so that more trouble fits in a
 * second.
 */
const times = { leaseDurationMs: 5000, renewDeadlineMs: 3300, retryPeriodMs: 700 };
/**
 * Others wait 5 / 3.3 times as long as a leader leads, so clocks may run at speeds that differ by
 * 1.5.
 */
const maxRate = 1.2;
/** The longest that a machine sleeps. */
export const maxSleepMs = 6000;
/** A lease that was renewed last, seen one retry late, and tried again another one later. */
export const takeoverMs: number = times.leaseDurationMs + 2 * times.retryPeriodMs * 2.2;

interface Machine {
  readonly clock: MachineClock;
  readonly stop: AbortController;
  readonly elector: LeaderElector;
  /** Whether it does what only a leader may do. */
  isWorking: boolean;
  ended: Promise<unknown>;
  hasEnded: boolean;
}

/** Three machines and a lease, in trouble that a seed decides. */
export class Election {
  readonly seed: number;
  /** How many terms began. */
  terms = 0;
  readonly #cluster: Cluster;
  readonly #random: () => number;
  readonly #machines: Machine[];
  #isTroubled = true;

  constructor(cluster: Cluster, seed: number) {
    this.#cluster = cluster;
    this.seed = seed;
    this.#random = seededRandom(seed);
    this.#machines = [0, 1, 2].map((index) => this.#machine(index));
    const match = { resource: "leases", headers: { "x-election": String(seed) } };
    const trouble = (share: number) => ({
      match,
      when: { probability: this.#random() * share, condition: () => this.#isTroubled },
      times: Infinity,
    });
    const { faults } = cluster.api.control;
    faults.add({ ...trouble(0.3), action: { type: "latency", ms: [0, 4000] } });
    for (const type of ["reset", "commitThenFail", "blackhole"] as const) {
      faults.add({ ...trouble(0.2), action: { type } });
    }
  }

  /** How many say that they lead. */
  get leading(): number {
    return this.#machines.filter(({ elector }) => elector.isLeader).length;
  }

  /** How many do what only a leader may do; a machine that sleeps does nothing. */
  get working(): number {
    return this.#machines.filter(({ clock, isWorking }) => isWorking && !clock.isDrowsy).length;
  }

  /** A machine may fall asleep, or its process be stopped; what has ended is started again. */
  disturb(): void {
    this.revive();
    if (this.#random() < 0.5) return;
    const machine = this.#machines[Math.floor(this.#random() * this.#machines.length)];
    if (this.#random() < 0.6) machine?.clock.sleep(this.#random() * maxSleepMs);
    else machine?.stop.abort();
  }

  /** From now on no request fails. */
  calm(): void {
    this.#isTroubled = false;
  }

  /** Starts again what has ended, as a kubelet does. */
  revive(): void {
    for (const [index, { hasEnded }] of this.#machines.entries()) {
      if (hasEnded) this.#machines[index] = this.#machine(index);
    }
  }

  stop(): void {
    for (const { stop } of this.#machines) stop.abort();
  }

  /** Resolves when all machines have stopped. */
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
        return await this.#cluster.api.fetch(request);
      } finally {
        await clock.awake();
      }
    };
    const headers = { "x-election": String(this.seed) };
    const connection = createConnection({ server, fetch, headers });
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
    // A lost leadership is one of the ends.
    machine.ended = elector
      .run(machine.stop.signal)
      .catch(() => {})
      .finally(() => (machine.hasEnded = true));
    return machine;
  }
}
