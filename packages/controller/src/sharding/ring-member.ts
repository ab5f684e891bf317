import { sleep, type Random, type Timer } from "@listwatch/core-fifo";
import { isBelow, onAborted } from "@listwatch/core-fifo/base";
import type { LeaseObject } from "../election/lease.ts";
import { Observations } from "./observations.ts";
import { NotSlotOwnerError, RingMismatchError } from "./ring-errors.ts";
import { RingLeases, type RingLeasesParts } from "./ring-leases.ts";
import {
  assignSlots,
  createWeights,
  describeFormat,
  identityIn,
  type Ring,
  type RingView,
} from "./ring-state.ts";
import { SlotTable } from "./slot-table.ts";

/**
 * Rules of the protocol. Members follow {@link soundRules}. Tests break one rule at a time, to show
 * that the simulation finds it.
 */
export interface RingRules {
  /** Whether only its owner gives a slot away, after its work has ended. */
  readonly acknowledges: boolean;
  /** Share of the lease after which a silent member counts as dead. */
  readonly expiryShare: number;
  /** Whether a member that cannot renew stops. */
  readonly fences: boolean;
  /** Whether a member takes slots over only once their change of owner is stored. */
  readonly storesFirst: boolean;
}

export const soundRules: RingRules = {
  acknowledges: true,
  expiryShare: 1,
  fences: true,
  storesFirst: true,
};

/** Dependencies of a {@link RingMember}. */
export interface RingMemberParts extends RingLeasesParts {
  /** Creates a name for the Lease of this member. */
  readonly createName: () => string;
  readonly random: Random;
  readonly rules?: RingRules | undefined;
  /** Called when slots were taken over, with the time that each had no owner, in milliseconds. */
  readonly onActivated: (waitedMs: readonly number[]) => void;
  /** Called when the owned slots have changed. */
  readonly onSlots: (count: number) => void;
}

/**
 * One process of a ring. The Lease of the ring has the owner of each slot, and only a compare and
 * swap changes it. A process works in rounds:
 *
 * ```
 *   list ring and members ──▶ renew the own Lease ──▶ compare owners with the assignment
 *     own slot of another member: drain ──▶ write its new owner: that acknowledges the loss
 *     slot of a silent member, or without an owner: write its owner
 *     own slot that this list shows: take over
 * ```
 *
 * The rules that keep a slot from having two owners:
 *
 * 1. The ring's owner of a slot is changed by that owner, after its work has ended, or by a member
 *    that has not seen it renew its Lease for a lease duration, by its own clock.
 * 2. A member owns slots until `renewDeadlineMs` after the start of its last list that a successful
 *    renewal followed, by its own clock.
 * 3. Each renewal requires the state of the one before. A member whose Lease was deleted, whose
 *    renewals paused for `renewDeadlineMs`, or whose ring went back, stops everything. It joins
 *    under another name with new observations, so a member that counts as dead stays dead.
 * 4. A ring with another uid begins without owners. All members stop, and forget what they have
 *    observed, so slots get owners after a full lease.
 * 5. While it is unknown whether a write of the ring has arrived or could still arrive, the member
 *    takes no slots over. It writes again, and the server refuses one of both writes.
 *
 * Not covered: a storage that is restored to a state younger than a lease duration.
 */
export class RingMember {
  readonly slots: SlotTable;
  readonly #parts: RingMemberParts;
  readonly #rules: RingRules;
  readonly #leases: RingLeases;
  readonly #others = new Observations();
  readonly #weight = createWeights();
  /** Aborted to end a pause. */
  #wake = new AbortController();
  #name: string;
  /** The Lease of this member as last stored; `undefined` while this process is not in the ring. */
  #lease: LeaseObject | undefined;
  #isLeaving = false;
  #hasEnded = false;
  #validUntilMs = -Infinity;
  #fence: Timer | undefined;
  #ring: Ring | undefined;
  /** Version of the ring that a write required whose result is unknown. */
  #unknownWrite = "";
  /** Whether the last round has changed the ring, or waits for a change. */
  #isMoving = true;
  #waitingFor: ReadonlySet<string> = new Set();
  /** Since when a slot that this member claims is seen without an owner that renews. */
  readonly #freeSinceMs = new Map<number, number>();
  #view: RingView = { ring: undefined, members: new Map() };
  #members: readonly string[] = [];

  constructor(parts: RingMemberParts) {
    this.#parts = parts;
    this.#rules = parts.rules ?? soundRules;
    this.#leases = new RingLeases(parts);
    this.#name = parts.createName();
    this.slots = new SlotTable(() => {
      parts.onSlots(this.slots.active.length);
      this.#wake.abort();
    });
  }

  get name(): string {
    return this.#name;
  }

  get ring(): Ring | undefined {
    return this.#ring;
  }

  /** Identities of the members whose Leases exist. */
  get members(): readonly string[] {
    return this.#members;
  }

  /** Identities of the members that own a slot which is assigned to this one. */
  get waitingFor(): readonly string[] {
    return Array.from(this.#waitingFor, (name) => identityIn(this.#view.members.get(name), name));
  }

  /** Whether the last renewal is recent. Reads the clock, so it is correct even after a freeze. */
  get isValid(): boolean {
    return !this.#rules.fences || this.#parts.clock.now() < this.#validUntilMs;
  }

  /** Whether this member owns a slot now, and may start work. */
  isActive(slot: number): boolean {
    return this.isValid && this.slots.isActive(slot);
  }

  /**
   * Takes part until `stop` is aborted; then gives up all slots and deletes the Lease.
   *
   * @throws {RingMismatchError} if the ring has another format, or its Lease is of another program
   */
  async run(stop: AbortSignal): Promise<void> {
    const leave = (): void => {
      this.#isLeaving = true;
      const { active } = this.slots;
      this.slots.drain(active, new NotSlotOwnerError("keep the slot", "the ring was stopped"));
      this.#wake.abort();
    };
    const unfollow = onAborted(stop, leave);
    try {
      while (!this.#hasEnded) {
        this.#wake = new AbortController();
        // oxlint-disable-next-line no-await-in-loop
        await this.#round();
        if (!this.#hasEnded) await this.#pause();
      }
    } finally {
      unfollow();
      this.#fence?.cancel();
      this.slots.abort(new NotSlotOwnerError("keep the slot", "the ring has ended"));
      this.#parts.onSlots(0);
      // It still exists if the ring cannot be used.
      await this.#delete();
    }
  }

  async #round(): Promise<void> {
    const { clock, times } = this.#parts;
    if (this.#lease === undefined && this.#isLeaving) {
      this.#hasEnded = this.slots.isEmpty;
      return;
    }
    const startMs = clock.now();
    const name = this.#name;
    const view = await this.#leases.list();
    if (view === undefined) return;
    this.#checkFormat(view);
    if (this.#lease === undefined) {
      // A member whose Lease is gone stops before it writes a new one.
      if (this.slots.isEmpty && !this.#isLeaving) await this.#enter();
      return;
    }
    if (!(await this.#renew(this.#lease)) || this.#name !== name) return;
    this.#validUntilMs = startMs + times.renewDeadlineMs;
    this.#fence?.cancel();
    if (this.#rules.fences) this.#watchTime();
    const owners = this.#follow(view, startMs);
    if (owners !== undefined && this.#name === name) await this.#write(view.ring, owners);
    await this.#clean(view, startMs);
  }

  /** Waits for the next round, which comes soon while slots move. */
  async #pause(): Promise<void> {
    const { clock, random, times } = this.#parts;
    const isSoon = this.#isMoving || !this.slots.areSettled || this.#lease === undefined;
    const periodMs = isSoon ? times.retryPeriodMs * 0.4 : times.retryPeriodMs;
    // Members that change the ring at the same time would refuse each other's writes again.
    const delayMs = periodMs * (0.9 + random() * 0.1);
    try {
      await sleep(delayMs, { clock, signal: this.#wake.signal });
    } catch {
      // Something has changed.
    }
  }

  /** @throws {RingMismatchError} if the ring has another format */
  #checkFormat({ ring }: RingView): void {
    const { format, namespace, ring: name } = this.#parts;
    if (ring === undefined) return;
    const expected = describeFormat(format);
    const isReadable = ring.owners.length === format.slots;
    if (ring.format === expected && isReadable) return;
    const actual = isReadable ? ring.format : `${ring.format} with ${ring.owners.length} owners`;
    throw new RingMismatchError(`${namespace}/${name}`, expected, actual);
  }

  /**
   * Creates the Lease of this member. Others give it slots only after the first renewal, which
   * shows that it has received the answer.
   */
  async #enter(): Promise<void> {
    const { clock, createName, times } = this.#parts;
    this.#validUntilMs = clock.now() + times.renewDeadlineMs;
    this.#lease = await this.#leases.create(this.#name);
    // A request that failed may have arrived.
    if (this.#lease === undefined) this.#name = createName();
    else {
      this.#others.clear();
      this.#wake.abort();
    }
  }

  /** Returns whether the Lease is renewed, and was there all the time since the last renewal. */
  async #renew(lease: LeaseObject): Promise<boolean> {
    const name = this.#name;
    const renewed = await this.#leases.renew(lease, this.#isLeaving ? "leaving" : "active");
    if (renewed === undefined || this.#name !== name) return false;
    if (renewed === "gone") this.#restart("its Lease was deleted, or the storage was restored");
    else if (!this.isValid) this.#restart("the Lease was not renewed in time");
    else {
      this.#lease = renewed;
      return true;
    }
    return false;
  }

  #watchTime(): void {
    const { clock } = this.#parts;
    const leftMs = this.#validUntilMs - clock.now();
    if (leftMs > 0) this.#fence = clock.setTimeout(() => this.#watchTime(), leftMs);
    else this.#restart("the Lease was not renewed in time");
  }

  /** Stops everything at once. */
  #lose(why: string): void {
    this.#others.clear();
    if (this.slots.isEmpty) return;
    this.slots.abort(new NotSlotOwnerError("keep the slot", why));
    this.#parts.onSlots(0);
  }

  /** Stops everything, and takes part under another name from then on. */
  #restart(why: string): void {
    this.#fence?.cancel();
    this.#lose(why);
    this.#name = this.#parts.createName();
    this.#lease = undefined;
    this.#ring = undefined;
    this.#unknownWrite = "";
    this.#validUntilMs = -Infinity;
  }

  /** Compares the ring with the assignment. Returns owners to write; `undefined` if none change. */
  #follow(view: RingView, startMs: number): readonly string[] | undefined {
    const { format } = this.#parts;
    const { ring } = view;
    const known = this.#ring;
    this.#view = view;
    this.#members = Array.from(view.members, ([name, member]) =>
      identityIn(member, name),
    ).toSorted();
    this.#ring = ring;
    this.#isMoving = true;
    if (ring === undefined) {
      if (known !== undefined) this.#lose("the ring was deleted");
      if (this.#isLeaving) {
        this.#hasEnded = this.slots.isEmpty;
        return undefined;
      }
      return Array.from({ length: format.slots }, () => "");
    }
    if (known !== undefined && known.uid !== ring.uid) this.#lose("the ring was deleted");
    else if (known !== undefined && isBelow(ring.resourceVersion, known.resourceVersion)) {
      this.#restart("the storage was restored");
      return undefined;
    }
    if (ring.resourceVersion !== this.#unknownWrite) this.#unknownWrite = "";
    if (this.slots.active.some((slot) => ring.owners[slot] !== this.#name)) {
      this.#restart("another process has taken a slot");
      return undefined;
    }
    this.#others.observe(view, this.#name, this.#parts.clock.now());
    return this.#move(view, ring, startMs);
  }

  #isDead(name: string, startMs: number): boolean {
    const limitMs = this.#parts.times.leaseDurationMs * this.#rules.expiryShare;
    return name !== this.#name && this.#others.silence(name, startMs) >= limitMs;
  }

  /** The members that can receive slots, and have renewed their Leases lately. */
  #candidates({ members }: RingView, startMs: number): readonly string[] {
    const limitMs = this.#parts.times.renewDeadlineMs * this.#rules.expiryShare;
    const isFresh = (name: string): boolean => this.#others.silence(name, startMs) < limitMs;
    const others = Array.from(members)
      .filter(([name, { phase }]) => name !== this.#name && phase === "active" && isFresh(name))
      .map(([name]) => name);
    return (this.#isLeaving ? others : [...others, this.#name]).toSorted();
  }

  /** Drains, takes over, and returns the owners to write. */
  #move(view: RingView, { owners, resourceVersion }: Ring, startMs: number) {
    const { slots } = this;
    const self = this.#name;
    const target = assignSlots(this.#candidates(view, startMs), owners, this.#weight);
    const isWanted = (slot: number): boolean => target[slot] === self;
    const given = slots.active.filter((slot) => !isWanted(slot));
    if (given.length > 0) {
      slots.drain(
        given,
        new NotSlotOwnerError("keep the slot", "the slot moves to another process"),
      );
      this.#parts.onSlots(slots.active.length);
    }
    const isUnknown = this.#unknownWrite === resourceVersion;
    const next = owners.map((owner, slot) => {
      const wanted = target[slot] ?? "";
      if (owner === self) return slots.has(slot) || (isWanted(slot) && !isUnknown) ? owner : wanted;
      const isFree = this.#isDead(owner, startMs) || !this.#rules.acknowledges;
      const sinceMs = startMs - this.#others.silence(owner, startMs);
      if (isFree && wanted === self) this.#freeSinceMs.set(slot, sinceMs);
      return isFree && wanted !== "" ? wanted : owner;
    });
    const stored = this.#rules.storesFirst ? owners : next;
    const isHeld = isUnknown && this.#rules.storesFirst;
    const gained = isHeld
      ? []
      : [...target.keys()].filter(
          (slot) => isWanted(slot) && stored[slot] === self && !slots.has(slot),
        );
    if (gained.length > 0) this.#takeOver(gained, startMs);
    this.#waitingFor = new Set(owners.filter((owner, slot) => isWanted(slot) && owner !== self));
    const isChanged = isUnknown || next.some((owner, slot) => owner !== owners[slot]);
    this.#isMoving = isChanged || this.#waitingFor.size > 0;
    const isNamed = owners.includes(self);
    if (this.#isLeaving && !isNamed && !isUnknown && slots.isEmpty) this.#hasEnded = true;
    return isChanged ? next : undefined;
  }

  #takeOver(gained: readonly number[], startMs: number): void {
    if (!this.isValid) return;
    this.slots.activate(gained);
    const { clock, onActivated, onSlots } = this.#parts;
    onSlots(this.slots.active.length);
    onActivated(gained.map((slot) => clock.now() - (this.#freeSinceMs.get(slot) ?? startMs)));
    this.#freeSinceMs.clear();
  }

  /** Stores owners, if the ring is still as it was read. */
  async #write(ring: Ring | undefined, owners: readonly string[]): Promise<void> {
    if (ring !== undefined) this.#unknownWrite = ring.resourceVersion;
    const stored = await this.#leases.write(ring, owners);
    if (stored === undefined) return;
    this.#unknownWrite = "";
    // A server that refuses all writes must not get them in a loop.
    if (stored === "refused") return;
    if (ring !== undefined) this.#ring = stored;
    this.#wake.abort();
  }

  /** Deletes the Lease of this member at the end, and those of dead members that own nothing. */
  async #clean({ members, ring }: RingView, startMs: number): Promise<void> {
    if (this.#hasEnded) {
      await this.#delete();
      return;
    }
    const [first] = this.#candidates({ members, ring }, startMs);
    if (first !== this.#name || ring === undefined) return;
    for (const [name, { lease }] of members) {
      if (!this.#isDead(name, startMs) || ring.owners.includes(name)) continue;
      // oxlint-disable-next-line no-await-in-loop
      await this.#leases.delete(lease);
    }
  }

  async #delete(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease !== undefined) await this.#leases.delete(lease);
  }
}
