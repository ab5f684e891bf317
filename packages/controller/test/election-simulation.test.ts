import { describe, expect, test } from "vitest";
import { ApiClient, LeaderElector } from "@listwatch/controller";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { MachineClock } from "./support/candidates.ts";
import { Cluster, server } from "./support/cluster.ts";
import { seedsOf } from "./support/seeds.ts";

/** One third of client-go's 15 / 10 / 2 s with the same proportions, so that more trouble fits in a second. */
const times = { leaseDurationMs: 5000, renewDeadlineMs: 3300, retryPeriodMs: 700 };
/** Others wait 5 / 3.3 times as long as a leader leads, so clocks may run at speeds that differ by 1.5. */
const maxRate = 1.2;
const troubleMs = 15_000;
/** The longest that a machine sleeps. */
const maxSleepMs = 6000;

interface Machine {
  readonly clock: MachineClock;
  readonly stop: AbortController;
  elector: LeaderElector;
  /** Whether it does what only a leader may do. */
  isWorking: boolean;
  ended: Promise<unknown>;
  hasEnded: boolean;
}

class Schedule {
  readonly cluster: Cluster;
  readonly random: () => number;
  readonly machines: Machine[];
  /** How many terms began. */
  terms = 0;

  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
    this.cluster = new Cluster(seed);
    this.random = seededRandom(seed);
    this.machines = [0, 1, 2].map((index) => this.#machine(index));
    this.cluster.api.control.faults.add({
      match: { resource: "leases" },
      when: { probability: this.random() * 0.3, condition: () => this.isTroubled },
      action: { type: "latency", ms: [0, 4000] },
      times: Infinity,
    });
    for (const type of ["reset", "commitThenFail", "blackhole"] as const) {
      this.cluster.api.control.faults.add({
        match: { resource: "leases" },
        when: { probability: this.random() * 0.2, condition: () => this.isTroubled },
        action: { type },
        times: Infinity,
      });
    }
  }

  isTroubled = true;

  /** Nobody leads beside another, neither by what it says nor by what it does; a machine that sleeps does nothing. */
  check(): void {
    const leading = this.machines.filter(({ elector }) => elector.isLeader);
    const working = this.machines.filter(({ clock, isWorking }) => isWorking && !clock.isDrowsy);
    expect(leading.length, `leaders, seed ${this.seed}`).toBeLessThanOrEqual(1);
    expect(working.length, `at work, seed ${this.seed}`).toBeLessThanOrEqual(1);
  }

  /** Lets time pass, and looks after every instant at which something happened. */
  async pass(ms: number): Promise<void> {
    const { clock } = this.cluster;
    const endMs = clock.now() + ms;
    while (clock.now() < endMs) {
      const nextMs = Math.min(clock.nextTimerMs ?? endMs, endMs);
      await clock.advance(Math.max(0, nextMs - clock.now()));
      this.check();
    }
  }

  /** A machine sleeps, or its process is stopped and started anew. */
  disturb(): void {
    const index = Math.floor(this.random() * this.machines.length);
    const machine = this.machines[index];
    if (machine === undefined) return;
    if (this.random() < 0.6) machine.clock.sleep(this.random() * maxSleepMs);
    else machine.stop.abort();
  }

  /** Those that have ended are started anew, as a kubelet does. */
  revive(): void {
    for (const [index, machine] of this.machines.entries()) {
      if (machine.hasEnded) this.machines[index] = this.#machine(index);
    }
  }

  #machine(index: number): Machine {
    const clock = new MachineClock(this.cluster.clock, {
      offsetMs: (this.random() - 0.5) * 7_200_000,
      rate: 1 + this.random() * (maxRate - 1),
    });
    const stop = new AbortController();
    const fetch = async (request: Request): Promise<Response> => {
      try {
        return await this.cluster.api.fetch(request);
      } finally {
        await clock.awake();
      }
    };
    const elector = new LeaderElector({
      client: new ApiClient({ server, fetch }),
      name: "election",
      namespace: "default",
      identity: `machine-${index}-${Math.floor(this.random() * 1e9)}`,
      clock,
      random: this.random,
      ...times,
      onStartedLeading: ({ lost }) => {
        this.terms += 1;
        machine.isWorking = !lost.aborted;
        lost.addEventListener("abort", () => (machine.isWorking = false), { once: true });
      },
    });
    const machine: Machine = {
      clock,
      stop,
      elector,
      isWorking: false,
      ended: Promise.resolve(),
      hasEnded: false,
    };
    // A lost leadership is one of the ends.
    machine.ended = elector
      .run(stop.signal)
      .catch(() => {})
      .finally(() => (machine.hasEnded = true));
    return machine;
  }

  async end(): Promise<void> {
    for (const { stop } of this.machines) stop.abort();
    await this.pass(8000);
    await Promise.all(this.machines.map(({ ended }) => ended));
  }
}

describe("leader election of three machines that sleep, restart, lose requests and disagree about the time", () => {
  test("never has two leaders at one instant, and has one soon after the trouble (LE-2, LE-3, LE-5)", async () => {
    for (const seed of seedsOf(200)) {
      const schedule = new Schedule(seed);
      for (let passedMs = 0; passedMs < troubleMs;) {
        const stepMs = 1000 + schedule.random() * 3000;
        await schedule.pass(stepMs);
        passedMs += stepMs;
        schedule.disturb();
        schedule.revive();
      }
      schedule.isTroubled = false;
      schedule.revive();
      // The longest sleep that began in the trouble, and the longest answer that was under way.
      await schedule.pass(maxSleepMs);
      schedule.revive();
      // A lease that was renewed last, seen one retry late, and tried again another one later.
      await schedule.pass(times.leaseDurationMs + 2 * times.retryPeriodMs * 2.2);
      const leaders = schedule.machines.filter(({ elector }) => elector.isLeader);
      expect(leaders, `seed ${seed}`).toHaveLength(1);
      expect(schedule.terms).toBeGreaterThan(0);
      await schedule.end();
      expect(schedule.cluster.clock.pendingTimers, `seed ${seed}`).toBe(0);
    }
  }, 120_000);
});
