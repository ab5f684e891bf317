import { Controller, ShardRing } from "@listwatch/controller";
import { createClient, type Connection } from "@listwatch/client";
import { silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { leases, type LeaseObject } from "../../src/election/lease.ts";
import { RingMember, soundRules, type RingRules } from "../../src/sharding/ring-member.ts";
import type { MachineClock } from "./candidates.ts";
import { configMapReference, type ConfigMap } from "./cluster.ts";
import { times } from "./election.ts";

export const slotCount = 32;
const maxDrainMs = 700;

/** The machine of a process. */
export interface Machine {
  readonly name: string;
  readonly clock: MachineClock;
  readonly connection: Connection;
  readonly random: () => number;
  /** Waits for simulated time, and until the machine is awake. */
  readonly work: (ms: number) => Promise<void>;
}

/** The program of a process. */
export interface Runner {
  /** Slots that it owns, with those whose work is ending. */
  readonly owned: readonly number[];
  /** Slots whose keys it may start. */
  readonly active: readonly number[];
  /** Whether it gives up no slots and waits for none. */
  readonly isStill: boolean;
  run(stop: AbortSignal): Promise<unknown>;
}

/** Runs one member of a ring, with work that takes some time to end. */
export function runMember(machine: Machine, rules: Partial<RingRules>): Runner {
  const { clock, connection, name, random, work } = machine;
  let count = 0;
  const member = new RingMember({
    client: createClient(connection, { clock }).resource<LeaseObject>(leases),
    namespace: "default",
    ring: "ring",
    format: { by: "uid", slots: slotCount },
    createName: () => `ring-${name}-${count++}`,
    identity: name,
    times,
    clock,
    random,
    rules: { ...soundRules, ...rules },
    onError: () => {},
    onReached: () => {},
    onActivated: () => {},
    onSlots: () => {},
  });
  const { slots } = member;
  const [drain, abort] = [() => work(random() * maxDrainMs), () => work(random() * 100)];
  slots.add({
    name,
    hasStarted: () => true,
    ready: Promise.resolve(),
    activated: () => {},
    drain,
    abort,
  });
  return {
    get owned() {
      if (!member.isValid) return [];
      const all = [...slots.active, ...slots.ending];
      return all.filter((slot) => slots.tenureOf(slot)?.lost.aborted === false);
    },
    get active() {
      return member.isValid ? slots.active : [];
    },
    get isStill() {
      return slots.areSettled && member.waitingFor.length === 0;
    },
    run: (stop) => member.run(stop),
  };
}

/** The start of a reconcile. */
export interface Start {
  /** How many owners its slot has had. It is the field manager of its writes. */
  readonly term: number;
  /** Duration of a reconcile that is slow, ignores its signal and always writes. */
  readonly slowMs: number | undefined;
}

/** Observes the reconciles of all processes. */
export interface ReconcileObserver {
  /** Called when a key starts. */
  started(key: string, slot: number, name: string): Start;
  /** Called when a reconcile goes on after its work, in which the process may have been frozen. */
  wentOn(slot: number, name: string, term: number): void;
}

/**
 * The client with which reconciles write: their own, one that is not guarded, or one that is
 * guarded when they write.
 */
export type Writing = "late" | "own" | "unfenced";

/**
 * Runs an operator that writes into each config map the change that it has seen. Some reconciles
 * are slow and ignore their signals: their process may lose the slot, and take it again.
 */
export function runOperator(
  machine: Machine,
  observer: ReconcileObserver,
  writing: Writing,
): Runner {
  const { clock, connection, name, random, work } = machine;
  const client = createClient(connection, { clock });
  const factory = new SharedInformerFactory({ connection, clock, log: silentLog });
  const ring = new ShardRing({
    client,
    namespace: "default",
    name: "ring",
    identity: name,
    limits: times,
    random,
    telemetry: { log: silentLog },
  });
  const informer = factory.informer<ConfigMap>(configMapReference);
  const controller = new Controller<ConfigMap>({
    informer,
    clock,
    client,
    shards: ring,
    // Slow reconciles must not hold all of them.
    workers: 8,
    telemetry: { log: silentLog },
    limits: { stopTimeoutMs: maxDrainMs, readYourWritesTimeoutMs: 5000 },
    reconcile: async (key, context) => {
      const { object, signal } = context;
      const [namespace = ""] = key.split("/");
      const slot = ring.slotOf(namespace);
      const { slowMs, term } = observer.started(key, slot, name);
      await work(slowMs ?? random() * 300);
      observer.wentOn(slot, name, term);
      const seen = object?.data?.["change"];
      const isSeen = object?.data?.["seen"] === seen;
      if (seen === undefined || (isSeen && slowMs === undefined)) return;
      const writers = {
        late: () => ring.guard(client, namespace),
        own: () => context.client,
        unfenced: () => client,
      };
      const maps = writers[writing]().resource<ConfigMap>(configMapReference);
      const options = { fieldManager: String(term), signal: slowMs ? undefined : signal };
      await maps.patch(key, { data: { seen } }, options);
    },
  });
  const status = (): ReturnType<ShardRing["status"]> => ring.status();
  return {
    get owned() {
      const { ending, isValid, slots } = status();
      return isValid ? [...slots, ...ending] : [];
    },
    get active() {
      return status().slots;
    },
    get isStill() {
      const { ending, waitingFor } = status();
      return ending.length === 0 && waitingFor.length === 0;
    },
    run: (stop) => {
      factory.start(stop);
      return Promise.all([ring.run(stop), controller.run(stop)]);
    },
  };
}
