import { createConnection } from "@listwatch/client";
import { highHash } from "@listwatch/client/base";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { leases, type LeaseObject } from "../../src/election/lease.ts";
import type { RingRules } from "../../src/sharding/ring-member.ts";
import { MachineClock } from "./candidates.ts";
import { Cluster, configMap, server } from "./cluster.ts";
import { times } from "./election.ts";
import {
  runMember,
  runOperator,
  slotCount,
  type Machine,
  type ReconcileObserver,
  type Runner,
  type Start,
  type Writing,
} from "./ring-runners.ts";

/** Others wait 5 / 3.3 times as long as a member owns slots, so clock speeds may differ by 1.5. */
const maxRate = 1.5;
/** Slots are the first five of 32 bits. */
const slotShift = 27;
const troubleMs = 15_000;
/**
 * Enough for members with slow clocks to wait for a lease that was renewed just before, and then to
 * write a new ring and drain slots.
 */
const calmMs = 26_000;
/** Longer than the back-off of reconciles and lists after some failures. */
const reconciledMs = 120_000;

/** A process of the ring, on a machine with its own clock. */
interface Process {
  readonly name: string;
  readonly clock: MachineClock;
  readonly runner: Runner;
  readonly stop: AbortController;
  cutUntilMs: number;
  isDead: boolean;
  hasEnded: boolean;
  ended: Promise<unknown>;
}

/** Kinds of faults of a story. */
export type Trouble = "deletions" | "processes" | "restores";

/** Options of {@link RingStory}. */
export interface RingStoryOptions {
  readonly trouble: readonly Trouble[];
  /** Rules with a bug. */
  readonly rules?: Partial<RingRules> | undefined;
  /** Share of the requests that fail, and of the answers that are lost. */
  readonly fault?: number | undefined;
  /** Whether processes reconcile objects, which change, and not only own slots. */
  readonly reconciles?: boolean | undefined;
  /** The client with which reconciles write. */
  readonly writing?: Writing | undefined;
}

/**
 * Processes of a ring that join, leave, crash, freeze and lose the server, whose Leases are
 * deleted, and whose server is restored; with clocks of different speeds.
 */
export class RingStory implements ReconcileObserver {
  readonly problems: string[] = [];
  /** Slots that have changed their owner. */
  moves = 0;
  /** Reconciles that started. */
  reconciles = 0;
  /** Reconciles that went on, after their process was frozen, while another one owned the slot. */
  late = 0;
  /** Reconciles that went on after their process had lost the slot and taken it again. */
  regained = 0;
  readonly #cluster: Cluster;
  readonly #random: () => number;
  readonly #options: RingStoryOptions;
  readonly #trouble: ReadonlySet<Trouble>;
  readonly #processes: Process[] = [];
  readonly #owners = new Map<number, string>();
  /** How often each slot has changed its owner. */
  readonly #terms = new Map<number, number>();
  readonly #keys: readonly string[];
  #fault: number;
  #names = 0;
  #changes = 0;
  #snapshot: ReturnType<Cluster["api"]["control"]["snapshot"]> | undefined;
  #snapshotMs = 0;

  constructor(seed: number, options: RingStoryOptions) {
    const { fault = 0.05, reconciles = false, trouble } = options;
    this.#fault = fault;
    this.#cluster = new Cluster(seed);
    this.#random = seededRandom(seed);
    this.#trouble = new Set(trouble);
    this.#options = options;
    this.#keys = Array.from({ length: reconciles ? 12 : 0 }, (_, index) => `${index}-team/a`);
  }

  async run(): Promise<void> {
    const { clock } = this.#cluster;
    for (const key of this.#keys) {
      await this.#cluster.configMaps.create({ ...configMap(key), data: { change: "0" } });
    }
    for (let index = 0; index < 3; index++) this.#start();
    await this.#settle();
    const endMs = clock.now() + troubleMs;
    while (clock.now() < endMs) {
      await this.#disturb();
      await this.#change();
      await this.#pass(this.#random() * 4000);
      if (this.problems.length > 0) break;
    }
    this.#fault = 0;
    for (const process of this.#processes) process.cutUntilMs = 0;
    await this.#settle();
    for (let slot = 0; slot < slotCount; slot++) {
      const owners = this.#living.filter(({ runner }) => runner.active.includes(slot));
      if (owners.length !== 1) {
        this.problems.push(`slot ${slot} ends with ${owners.length} owners`);
        break;
      }
    }
    await this.#reconciled();
    for (const { stop } of this.#processes) stop.abort();
    while (this.#processes.some(({ hasEnded, isDead }) => !hasEnded && !isDead)) {
      await clock.advance(1000);
    }
    await Promise.all(this.#processes.filter(({ isDead }) => !isDead).map(({ ended }) => ended));
  }

  started(key: string, slot: number, name: string): Start {
    this.reconciles += 1;
    // Counted now: it may freeze before its slots are counted.
    this.#own(slot, name);
    const other = this.#otherOwner(slot, name);
    if (other !== undefined) this.problems.push(`${name} starts ${key} of ${other}`);
    const self = this.#processes.find((process) => process.name === name);
    const draw = this.#fault > 0 ? this.#random() : 1;
    if (draw < 0.1) self?.clock.sleep(this.#random() * 10_000);
    // As long as a process needs to lose a slot and take it again.
    const slowMs = draw < 0.3 ? 8000 + this.#random() * 12_000 : undefined;
    return { slowMs, term: this.#termOf(slot) };
  }

  #termOf(slot: number): number {
    return this.#terms.get(slot) ?? 0;
  }

  wentOn(slot: number, name: string, term: number): void {
    if (this.#otherOwner(slot, name) !== undefined) this.late += 1;
    this.#count();
    if (this.#owners.get(slot) === name && this.#termOf(slot) !== term) this.regained += 1;
  }

  /** Returns another process that owns a slot, while this one lives. */
  #otherOwner(slot: number, name: string): string | undefined {
    const self = this.#processes.find((process) => process.name === name);
    if (self?.isDead !== false) return undefined;
    return this.#processes.find(({ clock, isDead, name: other, runner }) => {
      return other !== name && !isDead && !clock.isDrowsy && runner.owned.includes(slot);
    })?.name;
  }

  /** Waits until each slot has an owner, and none moves, for as long as that may take. */
  async #settle(): Promise<void> {
    const { clock } = this.#cluster;
    const endMs = clock.now() + calmMs;
    while (clock.now() < endMs) {
      const living = this.#living;
      const isStill = living.every(({ clock: { isAsleep }, runner }) => {
        return !isAsleep && runner.isStill;
      });
      const count = living.reduce((sum, { runner }) => sum + runner.active.length, 0);
      if (isStill && count >= slotCount) return;
      await this.#pass(200);
    }
  }

  /** Waits until the last change of each object is reconciled. */
  async #reconciled(): Promise<void> {
    const { clock, configMaps } = this.#cluster;
    const endMs = clock.now() + reconciledMs;
    for (;;) {
      const { items } = this.#keys.length === 0 ? { items: [] } : await configMaps.list();
      const open = items.filter(({ data }) => data?.["change"] !== data?.["seen"]);
      if (open.length === 0 || this.problems.length > 0) return;
      if (clock.now() > endMs) this.problems.push(`${open.length} changes are not reconciled`);
      await this.#pass(500);
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
    for (const { clock, isDead, name, runner } of this.#processes) {
      if (isDead || clock.isDrowsy) continue;
      for (const slot of runner.owned) {
        const other = owners.get(slot);
        if (other !== undefined && this.problems.length < 3) {
          this.problems.push(`${this.#cluster.clock.now()}: slot ${slot} has ${other} and ${name}`);
        }
        owners.set(slot, name);
      }
    }
    for (const [slot, name] of owners) this.#own(slot, name);
  }

  #own(slot: number, name: string): void {
    if (this.#owners.get(slot) === name) return;
    this.#owners.set(slot, name);
    this.#terms.set(slot, this.#termOf(slot) + 1);
    this.moves += 1;
  }

  #start(): void {
    const { clock: base } = this.#cluster;
    const clock = new MachineClock(base, {
      offsetMs: (this.#random() - 0.5) * 7_200_000,
      rate: 1 + this.#random() * (maxRate - 1),
    });
    const name = `p${this.#names++}`;
    const fetch = (request: Request): Promise<Response> => this.#fetch(process, request);
    const machine: Machine = {
      name,
      clock,
      connection: createConnection({ server, fetch }),
      random: this.#random,
      work: async (ms) => {
        await this.#wait(ms);
        await clock.awake();
      },
    };
    const process: Process = {
      name,
      clock,
      runner:
        this.#options.reconciles === true
          ? runOperator(machine, this, this.#options.writing ?? "own")
          : runMember(machine, this.#options.rules ?? {}),
      stop: new AbortController(),
      cutUntilMs: 0,
      isDead: false,
      hasEnded: false,
      ended: Promise.resolve(),
    };
    process.ended = process.runner
      .run(process.stop.signal)
      .catch((error: unknown) => this.problems.push(String(error)))
      .finally(() => (process.hasEnded = true));
    this.#processes.push(process);
  }

  #wait(ms: number): Promise<void> {
    const { clock } = this.#cluster;
    return new Promise((resolve) => clock.setTimeout(resolve, Math.ceil(ms / 25) * 25));
  }

  async #fetch(process: Process, request: Request): Promise<Response> {
    const { api, clock: base } = this.#cluster;
    this.#checkWrite(process, request);
    // Some requests arrive after the client has stopped to wait for them.
    const isLate = this.#random() < this.#fault / 2;
    await this.#wait(this.#random() ** 3 * (isLate ? 4000 : 300));
    const isCut = (): boolean => process.isDead || base.now() < process.cutUntilMs;
    const fail = (): void => {
      if (isCut() || this.#random() < this.#fault) throw new TypeError("fetch failed");
    };
    fail();
    const answer = await api.fetch(request);
    await this.#wait(this.#random() ** 3 * 300);
    await process.clock.awake();
    fail();
    // Other answers arrive in one piece.
    if (answer.body === null || !request.url.includes("watch=")) return answer;
    const transform = async (
      chunk: Uint8Array,
      controller: TransformStreamDefaultController<Uint8Array>,
    ): Promise<void> => {
      await process.clock.awake();
      if (isCut()) controller.error(new TypeError("network error"));
      else controller.enqueue(chunk);
    };
    return new Response(answer.body.pipeThrough(new TransformStream({ transform })), answer);
  }

  /**
   * Checks that no write of a reconcile leaves while another process owns its slot, or after
   * another one has owned it since the reconcile began.
   */
  #checkWrite({ name }: Process, { method, url }: Request): void {
    const [, namespace] = /\/namespaces\/([^/]+)\/configmaps/.exec(url) ?? [];
    if (method !== "PATCH" || namespace === undefined) return;
    const slot = highHash(namespace) >>> slotShift;
    this.#count();
    if (new URL(url).searchParams.get("fieldManager") !== String(this.#termOf(slot))) {
      this.problems.push(`${name} writes to ${namespace} of an earlier time of its slot`);
    }
    const other = this.#otherOwner(slot, name);
    if (other !== undefined) this.problems.push(`${name} writes to ${namespace} of ${other}`);
  }

  async #change(): Promise<void> {
    for (const key of this.#keys) {
      if (this.#random() < 0.3) {
        const data = { change: String(++this.#changes) };
        await this.#cluster.configMaps.patch(key, { data });
      }
    }
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
