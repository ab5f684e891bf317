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
  const [drain, abort] = [() => work(maxDrainMs), () => work(100)];
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

/** Observes the reconciles of all processes. */
export interface ReconcileObserver {
  /** Called when a key starts. */
  started(key: string, slot: number, name: string): void;
  /** Called when a reconcile goes on after its work, in which the process may have been frozen. */
  wentOn(slot: number, name: string): void;
}

/**
 * Runs an operator that writes into each config map the change that it has seen.
 *
 * @param isFenced whether it writes through the client of its reconciles
 */
export function runOperator(
  machine: Machine,
  observer: ReconcileObserver,
  isFenced: boolean,
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
    workers: 4,
    telemetry: { log: silentLog },
    limits: { stopTimeoutMs: maxDrainMs, readYourWritesTimeoutMs: 5000 },
    reconcile: async (key, { client: fenced, object, signal }) => {
      const slot = ring.slotOf(key.split("/")[0] ?? "");
      observer.started(key, slot, name);
      await work(300);
      observer.wentOn(slot, name);
      const seen = object?.data?.["change"];
      if (seen === undefined || object?.data?.["seen"] === seen) return;
      const maps = (isFenced ? fenced : client).resource<ConfigMap>(configMapReference);
      await maps.patch(key, { data: { seen } }, { signal });
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
