import { createClient, createConnection } from "@listwatch/client";
import { seededRandom } from "@listwatch/core-fifo/testing";
import type { LeaseObject } from "../../src/election/lease.ts";
import { leases } from "../../src/election/lease.ts";
import { RingMember, soundRules, type RingRules } from "../../src/sharding/ring-member.ts";
import { MachineClock } from "./candidates.ts";
import { Cluster, server } from "./cluster.ts";

/** A third of the default times, so that more faults fit into a second. */
const times = { leaseDurationMs: 5000, renewDeadlineMs: 3300, retryPeriodMs: 700 };
/** Others wait 5 / 3.3 times as long as a member owns slots, so clock speeds may differ by 1.5. */
const maxRate = 1.5;
const slotCount = 32;
const troubleMs = 15_000;
/** A lease that was just renewed, observed late, by a slow clock; a new ring; a drain. */
const calmMs = 26_000;
const maxDrainMs = 700;

/** A process of the ring, on a machine with its own clock. */
interface Process {
  readonly name: string;
  readonly clock: MachineClock;
  readonly member: RingMember;
  readonly stop: AbortController;
  cutUntilMs: number;
  isDead: boolean;
  hasEnded: boolean;
  ended: Promise<unknown>;
}

/** Kinds of faults of a story. */
export type Trouble = "deletions" | "processes" | "restores";

/**
 * Processes of a ring that join, leave, crash, freeze and lose the server, whose Leases are
 * deleted, and whose server is restored; with clocks of different speeds.
 */
export class RingStory {
  readonly problems: string[] = [];
  /** Slots that have changed their owner. */
  moves = 0;
  readonly #cluster: Cluster;
  readonly #random: () => number;
  readonly #rules: RingRules;
  readonly #trouble: ReadonlySet<Trouble>;
  readonly #processes: Process[] = [];
  readonly #owners = new Map<number, string>();
  #fault: number;
  #names = 0;
  #snapshot: ReturnType<Cluster["api"]["control"]["snapshot"]> | undefined;
  #snapshotMs = 0;

  /** @param fault share of the requests that fail, and of the answers that are lost */
  constructor(
    seed: number,
    trouble: readonly Trouble[],
    rules: Partial<RingRules> = {},
    fault = 0.05,
  ) {
    this.#fault = fault;
    this.#cluster = new Cluster(seed);
    this.#random = seededRandom(seed);
    this.#trouble = new Set(trouble);
    this.#rules = { ...soundRules, ...rules };
  }

  async run(): Promise<void> {
    const { clock } = this.#cluster;
    for (let index = 0; index < 3; index++) this.#start();
    await this.#settle();
    const endMs = clock.now() + troubleMs;
    while (clock.now() < endMs) {
      await this.#disturb();
      await this.#pass(this.#random() * 4000);
      if (this.problems.length > 0) break;
    }
    this.#fault = 0;
    for (const process of this.#processes) process.cutUntilMs = 0;
    await this.#settle();
    for (let slot = 0; slot < slotCount; slot++) {
      const owners = this.#living.filter(({ member }) => member.isActive(slot));
      if (owners.length !== 1) {
        this.problems.push(`slot ${slot} ends with ${owners.length} owners`);
        break;
      }
    }
    for (const { stop } of this.#processes) stop.abort();
    while (this.#processes.some(({ hasEnded, isDead }) => !hasEnded && !isDead)) {
      await clock.advance(1000);
    }
    await Promise.all(this.#processes.filter(({ isDead }) => !isDead).map(({ ended }) => ended));
  }

  /** Waits until each slot has an owner, and none moves, for as long as that may take. */
  async #settle(): Promise<void> {
    const { clock } = this.#cluster;
    const endMs = clock.now() + calmMs;
    while (clock.now() < endMs) {
      const living = this.#living;
      const isStill = living.every(({ clock: { isAsleep }, member }) => {
        return !isAsleep && member.slots.areSettled && member.waitingFor.length === 0;
      });
      const counts = living.map(({ member }) => (member.isValid ? member.slots.active.length : 0));
      if (isStill && counts.reduce((sum, count) => sum + count, 0) >= slotCount) return;
      await this.#pass(200);
    }
  }

  get #living(): readonly Process[] {
    return this.#processes.filter(({ isDead, stop }) => !isDead && !stop.signal.aborted);
  }

  /** Advances from event to event, and counts the owners of each slot after each one. */
  async #pass(ms: number): Promise<void> {
    const { clock } = this.#cluster;
    const endMs = clock.now() + ms;
    while (clock.now() < endMs) {
      const nextMs = Math.min(clock.nextTimerMs ?? endMs, endMs);
      await clock.advance(Math.max(0, nextMs - clock.now()));
      this.#count();
    }
  }

  #count(): void {
    const owners = new Map<number, string>();
    for (const { clock, isDead, member, name } of this.#processes) {
      if (isDead || clock.isDrowsy || !member.isValid) continue;
      for (let slot = 0; slot < slotCount; slot++) {
        // A slot whose work is ending has an owner, too.
        if (member.slots.lost(slot)?.aborted !== false) continue;
        const other = owners.get(slot);
        if (other !== undefined && this.problems.length < 3) {
          this.problems.push(`${this.#cluster.clock.now()}: slot ${slot} has ${other} and ${name}`);
        }
        owners.set(slot, name);
      }
    }
    for (const [slot, name] of owners) {
      if (this.#owners.get(slot) === name) continue;
      this.#owners.set(slot, name);
      this.moves += 1;
    }
  }

  #start(): void {
    const { api, clock: base } = this.#cluster;
    const clock = new MachineClock(base, {
      offsetMs: (this.#random() - 0.5) * 7_200_000,
      rate: 1 + this.#random() * (maxRate - 1),
    });
    const name = `p${this.#names++}`;
    const wait = (ms: number): Promise<void> =>
      new Promise((resolve) => base.setTimeout(resolve, Math.ceil(ms / 25) * 25));
    const fetch = async (request: Request): Promise<Response> => {
      // Some requests arrive after the client has stopped to wait for them.
      const isLate = this.#random() < this.#fault / 2;
      await wait(this.#random() ** 3 * (isLate ? 4000 : 300));
      const isCut = (): boolean => process.isDead || base.now() < process.cutUntilMs;
      if (isCut() || this.#random() < this.#fault) throw new TypeError("fetch failed");
      const answer = await api.fetch(request);
      await wait(this.#random() ** 3 * 300);
      await clock.awake();
      if (isCut() || this.#random() < this.#fault) throw new TypeError("fetch failed");
      return answer;
    };
    const client = createClient(createConnection({ server, fetch }), { clock });
    let count = 0;
    const member = new RingMember({
      client: client.resource<LeaseObject>(leases),
      namespace: "default",
      ring: "ring",
      format: { by: "uid", slots: slotCount },
      createName: () => `ring-${name}-${count++}`,
      identity: name,
      times,
      clock,
      random: this.#random,
      rules: this.#rules,
      onError: () => {},
      onReached: () => {},
      onActivated: () => {},
      onSlots: () => {},
    });
    const work = async (ms: number): Promise<void> => {
      await wait(this.#random() * ms);
      await clock.awake();
    };
    const [drain, abort] = [() => work(maxDrainMs), () => work(100)];
    member.slots.add({ ready: Promise.resolve(), activated: () => {}, drain, abort });
    const process: Process = {
      name,
      clock,
      member,
      stop: new AbortController(),
      cutUntilMs: 0,
      isDead: false,
      hasEnded: false,
      ended: Promise.resolve(),
    };
    process.ended = member
      .run(process.stop.signal)
      .catch((error: unknown) => this.problems.push(String(error)))
      .finally(() => (process.hasEnded = true));
    this.#processes.push(process);
  }

  async #disturb(): Promise<void> {
    const living = this.#living;
    const process = living[Math.floor(this.#random() * living.length)];
    const choice = this.#random();
    if (process === undefined) this.#start();
    else if (this.#trouble.has("restores") && choice < 0.3) this.#restore();
    else if (this.#trouble.has("deletions") && choice < 0.6) await this.#delete();
    else if (choice < 0.65 && living.length < 7) this.#start();
    else if (choice < 0.73 && living.length > 1) process.isDead = true;
    else if (choice < 0.81 && living.length > 1) process.stop.abort();
    else if (choice < 0.9) process.clock.sleep(this.#random() * 8000);
    else process.cutUntilMs = this.#cluster.clock.now() + this.#random() * 10_000;
  }

  /** Deletes the Lease of the ring or of a member. */
  async #delete(): Promise<void> {
    const own = this.#cluster.client.resource<LeaseObject>(leases);
    const { items } = await own.list({ namespace: "default" });
    const lease = items[Math.floor(this.#random() * items.length)];
    if (lease !== undefined) await own.delete(`default/${lease.metadata?.name}`).catch(() => {});
  }

  /** Takes a snapshot of the storage, or restores one that is older than a lease. */
  #restore(): void {
    const { clock, api } = this.#cluster;
    if (this.#snapshot === undefined) {
      this.#snapshot = api.control.snapshot();
      this.#snapshotMs = clock.now();
    } else if (clock.now() - this.#snapshotMs > times.leaseDurationMs) {
      api.control.restore(this.#snapshot, "rollback");
      this.#snapshot = undefined;
    }
  }
}
