import type { Client, ShardKey } from "@listwatch/client";
import { checkPathSegment, highHash } from "@listwatch/client/base";
import { systemClock, type Clock } from "@listwatch/core-fifo";
import {
  createMeters,
  isInstance,
  provideDispose,
  systemRandom,
  untilAborted,
} from "@listwatch/core-fifo/base";
import { Fence } from "../election/fence.ts";
import { identityOf } from "../election/leader-elector-options.ts";
import { leases, type LeaseObject } from "../election/lease.ts";
import { Failures } from "../lifecycle/failures.ts";
import { SingleRun } from "../lifecycle/single-run.ts";
import { watchStart } from "../lifecycle/unstarted.ts";
import { NotSlotOwnerError } from "./ring-errors.ts";
import { RingMember } from "./ring-member.ts";
import { checkRingOptions, ringMeters, type ShardRingOptions } from "./ring-options.ts";
import type { SlotUser, Tenure } from "./slot-table.ts";

provideDispose();

/** State of a {@link ShardRing}. */
export interface RingStatus {
  /** Number of changes of the owners of slots; 0 before the ring was read. */
  readonly epoch: number;
  /** Slots that this process owns. */
  readonly slots: readonly number[];
  /** Slots that this process gives up, whose work has not ended. */
  readonly ending: readonly number[];
  /** Identities of the members whose Leases exist, sorted. */
  readonly members: readonly string[];
  /** Identities of the processes whose slots are assigned to this one. */
  readonly waitingFor: readonly string[];
  /** Whether the Lease of this process is recent, so that it may own slots. */
  readonly isValid: boolean;
}

/** Bits of the upper half of a hash. */
const hashBits = 32;

/** Subject of log lines while the Leases cannot be reached. */
const requestSubject = "Shard ring";

/**
 * Divides the keys of controllers among the replicas of a program, by Leases on the API server. The
 * hashes of all objects are cut into slots, and each slot has at most one owner.
 *
 * Only reconciles are divided: the caches of each replica have all objects. Each replica makes one
 * list and one update of Leases in a retry period, so about one request a second by default.
 *
 * Guarantees: no slot has two owners at the same time, as long as the speeds of the members' clocks
 * differ by less than lease duration / renew deadline (1.5 with the defaults); the clocks need not
 * show the same time. A process that cannot renew its Lease gives up all slots before another one
 * takes them. A process that takes a slot over reconciles each of its objects once. When a process
 * joins or leaves, few slots move. Not guaranteed: that work that ignores its signal stops, or that
 * a request that has left before the end of a slot does not arrive after it. Send resourceVersions
 * in writes.
 *
 * The first members of a ring wait for a full lease before they start, because they cannot know of
 * members of a ring that was deleted. So does a process that starts when no other one is left.
 *
 * A storage that is restored to a state younger than a lease is not covered.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * import { Controller, ShardRing } from "@listwatch/controller";
 *
 * const client = createClient(createConnection({ server: "http://127.0.0.1:8001" }));
 * const ring = new ShardRing({ client, namespace: "default", name: "my-operator-ring" });
 * const controller = new Controller({ client, shards: ring, reconcile: () => {} });
 * console.assert(ring.status().slots.length === 0 && controller.name === "controller");
 * // await Promise.all([ring.run(signal), controller.run(signal)]);
 * ```
 */
export class ShardRing implements AsyncDisposable {
  /** Name of this process in its Lease. */
  readonly identity: string;
  /** The part of an object that divides the objects. */
  readonly by: ShardKey;
  /**
   * How long others wait for this process, in milliseconds.
   *
   * @internal
   */
  readonly leaseDurationMs: number;
  readonly #shift: number;
  readonly #member: RingMember;
  readonly #run: SingleRun;
  readonly #failures: Failures;
  readonly #clock: Clock;
  readonly #onError: ShardRingOptions["onError"];
  readonly #namespace: string;
  readonly #name: string;

  /** @throws {InvalidOptionsError} if an option is missing or has a value that is not allowed */
  constructor(options: ShardRingOptions) {
    const times = checkRingOptions(options);
    const { by = "namespace", client, slots = 32, telemetry } = options;
    const { onError, random = systemRandom } = options;
    const clock = options.clock ?? client.clock ?? systemClock;
    const namespace = checkPathSegment("namespace", options.namespace);
    const name = checkPathSegment("name", options.name);
    this.identity = identityOf(options);
    this.by = by;
    this.leaseDurationMs = times.leaseDurationMs;
    this.#namespace = namespace;
    this.#name = name;
    this.#shift = hashBits - Math.log2(slots);
    const fields = { ring: `${namespace}/${name}`, identity: this.identity };
    const failures = new Failures({ log: telemetry?.log, clock, fields });
    this.#failures = failures;
    this.#clock = clock;
    this.#onError = onError;
    const metrics = createMeters(telemetry?.metrics, ringMeters, { name }, (error) =>
      failures.report({ subject: "A metric of the ring", error }, onError),
    );
    this.#run = new SingleRun(`the ring ${namespace}/${name}`);
    this.#member = new RingMember({
      client: client.resource<LeaseObject>(leases),
      namespace,
      ring: name,
      format: { by, slots },
      createName: () => `${name}-${Math.floor(random() * 2 ** 48).toString(36)}`,
      identity: this.identity,
      times,
      clock,
      onError: (error) =>
        failures.report({ subject: requestSubject, error, isLasting: true }, onError),
      onReached: () => failures.recover(requestSubject),
      onSlots: (count) => metrics.ownedSlots?.set(count),
      random,
      onActivated: (waitedMs) => {
        for (const ms of waitedMs) {
          metrics.moves?.inc();
          metrics.ownerless?.observe(ms / 1000);
        }
      },
    });
    metrics.ownedSlots?.set(0);
  }

  /**
   * Whether {@link ShardRing.run} was called.
   *
   * @internal
   */
  get hasStarted(): boolean {
    return this.#run.hasStarted;
  }

  /** The current state, as of the last answer of the server. */
  status(): RingStatus {
    const { isValid, members, ring, slots, waitingFor } = this.#member;
    return {
      epoch: ring?.epoch ?? 0,
      slots: isValid ? slots.active : [],
      ending: slots.ending,
      members,
      waitingFor,
      isValid,
    };
  }

  /**
   * Returns the slot of an object.
   *
   * @param value its namespace or uid, as the option `by` says; `""` without a namespace
   */
  slotOf(value: string): number {
    // In JavaScript a shift by 32 bits changes nothing.
    return this.#shift === hashBits ? 0 : highHash(value) >>> this.#shift;
  }

  /**
   * Whether this process owns the slot of an object. Reads the clock, so it is correct even after a
   * sleep.
   *
   * @param value its namespace or uid, as the option `by` says
   */
  owns(value: string): boolean {
    return this.#member.isActive(this.slotOf(value));
  }

  /**
   * Returns the same client, which only writes while this process owns the slot of an object, as of
   * each request. Writes at other times are refused before anything is sent, and those in flight
   * are aborted when the slot is lost. They pass while the slot is given up, until its work has
   * ended.
   *
   * Controllers with the ring guard the clients of their reconciles. Such a client belongs to the
   * slot as of the start of the reconcile, and never writes again once this process has lost it.
   *
   * Not guarded are reads, dry runs, reviews and events, as with {@link LeaderElector.guard}.
   *
   * @param value namespace or uid of the reconciled object, as the option `by` says; `undefined`
   *   for an object of no slot, whose writes are refused
   */
  guard(client: Client, value: string | undefined): Client {
    const slot = value === undefined ? undefined : this.slotOf(value);
    return this.guardSlot(client, slot, () => {
      const tenure = slot === undefined ? undefined : this.#member.slots.tenureOf(slot);
      return tenure && [tenure.lost];
    });
  }

  /**
   * Returns the same client, which only writes until one of the signals is aborted.
   *
   * @param ends called at each write; returns `undefined` to refuse it
   * @internal
   */
  guardSlot(
    client: Client,
    slot: number | undefined,
    ends: () => readonly AbortSignal[] | undefined,
  ): Client {
    const fence = new Fence({
      namespace: this.#namespace,
      name: this.#name,
      ends: () => (this.#member.isValid ? ends() : undefined),
      refuse: (reason) => {
        if (isInstance(reason, NotSlotOwnerError)) return reason;
        if (slot === undefined) {
          return new NotSlotOwnerError("write", "the reconciled object has no slot");
        }
        return new NotSlotOwnerError(`write to slot ${slot}`, "another process may own it");
      },
    });
    return fence.guardClient(client);
  }

  /**
   * Returns the tenure of an object's slot, if this process owns it and may start work.
   *
   * @internal
   */
  tenureOf(value: string): Tenure | undefined {
    const slot = this.slotOf(value);
    return this.#member.isActive(slot) ? this.#member.slots.tenureOf(slot) : undefined;
  }

  /**
   * Takes part in the ring until `signal` is aborted. Waits for the controllers of the ring to
   * sync, joins, and at the end gives up all slots, waits for their work and releases its Lease. A
   * controller that was not started is logged after 10 s.
   *
   * @throws {RingMismatchError} if the ring has another number of slots, hash or protocol version,
   *   or another program has a Lease with its name
   * @throws {AlreadyRunningError} if it was called before
   */
  run(signal?: AbortSignal): Promise<void> {
    return this.#run.run(signal, async (stop) => {
      try {
        await this.#waitForUsers(stop);
        if (!stop.aborted) await this.#member.run(stop);
      } finally {
        this.#failures.close();
      }
    });
  }

  /** Waits until the caches of all controllers are filled, or will not be. */
  async #waitForUsers(stop: AbortSignal): Promise<void> {
    const { slots } = this.#member;
    const timer = watchStart({
      clock: this.#clock,
      action: "join the ring",
      subject: requestSubject,
      unstarted: () => slots.unstarted,
      report: (failure) => this.#failures.report(failure, this.#onError),
    });
    try {
      await untilAborted(slots.ready(), stop);
    } catch {
      // The ring was stopped first.
    } finally {
      timer.cancel();
    }
  }

  /** Stops the ring and waits until {@link ShardRing.run} ends. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#run.stop();
  }

  /**
   * Adds a user of the slots of this process. Controllers with the option `shards` do so.
   *
   * @internal
   */
  use(user: SlotUser): void {
    this.#member.slots.add(user);
  }
}
