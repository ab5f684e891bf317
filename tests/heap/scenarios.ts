import { silentLog, type KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer, type ResourceEventHandler } from "@listwatch/shared-informer";
import { namespaceIndex } from "@listwatch/store-indexer";
import { SmallServer } from "./server.ts";

/** An endless activity of a program, in equal rounds. */
export interface Scenario {
  readonly name: string;
  /** Prepares the scenario; returns its round and its end. */
  start(): Promise<{ readonly round: () => Promise<void>; readonly end: () => Promise<void> }>;
}

type Indexes = Readonly<Record<"namespace", string>>;

/** In 18 rounds: 432 relists, 10,000 informers, 10,000 handlers, a million events. */
const perRound = { relists: 24, informers: 560, handlers: 560, events: 56_000 };

const resource = { group: "", version: "v1", resource: "configmaps" } as const;

/** Never aborted, like the signal of a process that ends on SIGTERM. */
const forEver = new AbortController().signal;

function createInformer(
  server: SmallServer,
  clock: SimulatedClock,
  isStreamed: boolean,
): SharedInformer<KubernetesObject, Indexes> {
  const { connection } = server;
  return new SharedInformer<KubernetesObject, Indexes>({
    clock,
    indexers: namespaceIndex,
    list: { watchList: isStreamed },
    listerWatcher: httpListerWatcher({ clock, connection, resource }),
    telemetry: { log: silentLog },
  });
}

const handler: ResourceEventHandler<KubernetesObject> = {
  onAdd: () => {},
  onUpdate: () => {},
  onDelete: () => {},
};

async function startInformer(
  objects: number,
  isStreamed: boolean,
): Promise<{
  readonly clock: SimulatedClock;
  readonly informer: SharedInformer<KubernetesObject, Indexes>;
  readonly server: SmallServer;
}> {
  const clock = new SimulatedClock();
  const server = new SmallServer(objects);
  const informer = createInformer(server, clock, isStreamed);
  informer.addEventHandler(handler);
  void informer.run(forEver);
  await informer.synced;
  await clock.settle();
  return { clock, informer, server };
}

function relists(change: "changed" | "unchanged", how: "listed" | "streamed"): Scenario {
  return {
    name: `relists of ${change} objects, ${how}`,
    start: async () => {
      const { clock, informer, server } = await startInformer(100, how === "streamed");
      const round = async (): Promise<void> => {
        for (let left = perRound.relists; left > 0; left--) {
          const { watches } = server;
          if (change === "changed") server.changeAll();
          server.expire();
          // Longer than any delay before a list.
          while (server.watches === watches) await clock.advance(60_000);
          await clock.settle();
        }
      };
      return { round, end: () => informer[Symbol.asyncDispose]() };
    },
  };
}

const informers: Scenario = {
  name: "informers started and stopped",
  start: async () => {
    const clock = new SimulatedClock();
    const server = new SmallServer(1);
    const round = async (): Promise<void> => {
      for (let left = perRound.informers; left > 0; left--) {
        const informer = createInformer(server, clock, left % 2 === 0);
        informer.addEventHandler(handler, { signal: forEver });
        const ended = informer.run(forEver);
        await informer.synced;
        await informer[Symbol.asyncDispose]();
        await ended;
      }
    };
    return { round, end: async () => {} };
  },
};

const handlers: Scenario = {
  name: "handlers added and removed",
  start: async () => {
    const { informer } = await startInformer(20, false);
    const round = async (): Promise<void> => {
      for (let left = perRound.handlers; left > 0; left--) {
        const registration = informer.addEventHandler(handler, { signal: forEver });
        if (left % 2 === 0) await registration.synced;
        await registration.remove();
        const stream = informer.events();
        await stream.return?.();
      }
    };
    return { round, end: () => informer[Symbol.asyncDispose]() };
  },
};

const events: Scenario = {
  name: "events",
  start: async () => {
    const { clock, informer, server } = await startInformer(500, false);
    const round = async (): Promise<void> => {
      for (let left = perRound.events; left > 0; left -= 1000) {
        server.sendChanges(1000);
        await clock.settle();
      }
    };
    return { round, end: () => informer[Symbol.asyncDispose]() };
  },
};

/** Keeps a little of each step, which the measurement must detect. */
export const plantedLeak: Scenario = {
  name: "a planted leak",
  start: async () => {
    const { clock, informer, server } = await startInformer(20, false);
    const kept: unknown[] = [];
    const round = async (): Promise<void> => {
      for (let left = perRound.handlers; left > 0; left--) {
        const registration = informer.addEventHandler(handler);
        kept.push({ left });
        await registration.remove();
      }
      server.sendChanges(1000);
      await clock.settle();
    };
    const end = async (): Promise<void> => {
      kept.length = 0;
      await informer[Symbol.asyncDispose]();
    };
    return { round, end };
  },
};

export const scenarios: readonly Scenario[] = [
  relists("unchanged", "listed"),
  relists("unchanged", "streamed"),
  relists("changed", "listed"),
  relists("changed", "streamed"),
  informers,
  handlers,
  events,
];
